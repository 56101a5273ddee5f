"""Whether the criteria keep what their levels promise, and what they find."""
