"""Formulas as MathML: browsers draw it themselves, without scripts or fonts from elsewhere."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)


def _mathml(node: Any, as_block: bool) -> str:
    text = node.astext().replace(r"\dots", r"\ldots")  # the converter knows this name only
    if r"\\" in text:
        text = rf"\begin{{align*}}{text}\end{{align*}}"
    try:
        return str(tex2mathml(text, as_block=as_block))
    except MathError as error:
        LOGGER.warning("formula %r: %s", text, error, location=node)
        return ""


def visit_inline(writer: Any, node: Any) -> None:
    """Write a formula within a line."""
    writer.body.append(_mathml(node, as_block=False))
    raise nodes.SkipNode


def visit_block(writer: Any, node: Any) -> None:
    """Write a formula on a line of its own."""
    writer.body.append(f'<div class="formula">{_mathml(node, as_block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Offer the renderer `mathml`."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
