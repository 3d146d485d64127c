"""Names in templates: in whatever script they are, nothing beside them changes its place.

Presenters put names into sentences by `wording.isolated`. Such a text goes into a title or an
attribute as it is, and into the page by the filter `bdi`. A name that stands in a template by
itself goes between <bdi> tags, and into a title or an attribute by the filter `isolated`.
"""

from __future__ import annotations

from flask import Flask
from markupsafe import Markup, escape

from raisesum.wording import ISOLATED, bare, count, isolated, listed


def bdi(text: str | Markup) -> Markup:
    """Return `text` as HTML, with its isolated names as elements.

    >>> bdi(f"{isolated('Ann <3')} won")
    Markup('<bdi class="name" translate="no">Ann &lt;3</bdi> won')
    """
    parts = ISOLATED.split(str(escape(text)))
    # Split at the names, the text has them at the odd places.
    parts[1::2] = [f'<bdi class="name" translate="no">{bare(name)}</bdi>' for name in parts[1::2]]
    return Markup("".join(parts))  # noqa: S704 - escaped above


def init_app(app: Flask) -> None:
    """Give the templates of `app` the filters."""
    app.add_template_filter(bdi)
    app.add_template_filter(isolated)
    app.add_template_filter(listed)
    app.add_template_filter(count, "counted")
