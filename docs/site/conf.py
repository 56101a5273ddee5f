"""Configuration of the site: `python tasks.py docs` builds it from the Markdown of `docs/`."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "core"), str(ROOT / "cli")]

from renyi import __version__  # noqa: E402 - after its folder is on the path

project = "renyi"
author = "The renyi developers"
copyright = author  # noqa: A001 - Sphinx calls it so
version = release = __version__
html_title = f"renyi {release}"
language = "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "formulas",
    "generated",
    "links",
    "running",
]
exclude_patterns = ["site"]
default_role = "literal"  # what stands in single backticks in a docstring is code
nitpicky = False

# Markdown as a code host reads it: headings are anchors, dollars are formulas.
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 4
myst_dmath_double_inline = True

# Pages whose blocks run while the site is built.
running_pages = ["start", "tutorials/*"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings say the types
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True

html_theme = "furo"
html_math_renderer = "mathml"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "static/logo.svg"
html_theme_options = {
    "light_logo": "logo.svg",
    "dark_logo": "logo-dark.svg",
    "light_css_variables": {"color-brand-primary": "#14509e", "color-brand-content": "#14509e"},
    "dark_css_variables": {"color-brand-primary": "#8ab8f2", "color-brand-content": "#8ab8f2"},
}
html_show_sphinx = False
html_copy_source = False
copybutton_selector = "div:not(.printed) > div.highlight > pre"
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True
