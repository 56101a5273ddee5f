"""Where scikit-learn is not installed, doctests do not look into what is made of it."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("sklearn") else ["core/renyi_sklearn"]
