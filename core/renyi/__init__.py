"""Placeholder until the facade is written."""
