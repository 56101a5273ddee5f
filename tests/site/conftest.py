"""Tests of the site: what builds it, and what comes out."""

from __future__ import annotations

import sys
from pathlib import Path

SITE = Path(__file__).resolve().parents[2] / "docs" / "site"
sys.path.append(str(SITE))  # its modules are imported by their names, as Sphinx does
