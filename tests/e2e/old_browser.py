"""A new browser made to lack what the oldest browsers in the README lack.

What a style sheet or a script asks of a browser fails here as it does there: unknown functions,
units and selectors in style sheets, missing methods, selectors that throw, attributes without
meaning. That a real old browser is drawn alike is not shown by this, only that nothing depends on
the newer ways.
"""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route

# What at least one of them lacks, as it stands in style sheets.
_NEWER_STYLE = re.compile(
    r":(?=(?:has|popover-open)\b)|(?<=\d)(?=(?:cqi|cqw|cqh|dvh|svh|lvh)\b)"
    r"|\b(?=(?:light-dark|color-mix|text-wrap|corner-[a-z-]+|container)\b)"
)
_UNKNOWN = {":": ":unknown-"}

_LACKS = """
for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"]) {
  delete HTMLElement.prototype[name];
}
delete HTMLFormElement.prototype.requestSubmit;
const refuse = (owner, method) => {
  const asked = owner[method];
  owner[method] = function (selector) {
    if (/:(popover-open|has)\\b/.test(selector)) throw new SyntaxError(`no selector: ${selector}`);
    return asked.call(this, selector);
  };
};
for (const owner of [Document.prototype, Element.prototype, DocumentFragment.prototype]) {
  for (const method of ["querySelector", "querySelectorAll"]) refuse(owner, method);
}
for (const method of ["matches", "closest"]) refuse(Element.prototype, method);
"""


def age(page: Page) -> None:
    """Take from `page` what the oldest browsers lack, from the next page it opens on."""
    page.add_init_script(_LACKS)
    page.route("**/*", _age)


def _age(route: Route) -> None:
    kind = route.request.resource_type
    if kind == "stylesheet":
        answer = route.fetch()
        style = _NEWER_STYLE.sub(lambda found: _UNKNOWN.get(found[0], "unknown-"), answer.text())
        route.fulfill(response=answer, body=style)
    elif kind == "document" and route.request.method == "GET":
        answer = route.fetch(max_redirects=0)
        route.fulfill(response=answer, body=re.sub(r' popover="\w+"', "", answer.text()))
    else:
        route.continue_()
