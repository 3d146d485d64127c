/* Keys of one letter or figure: they tick cards, play, pass, discard and sort. */
(() => {
  "use strict";

  const find = (selector) => document.querySelector(selector);
  const FIELDS = "input:not(.pick__box), textarea, select, [contenteditable]";

  // What a key stands for is what the page shows beside it, so that neither can be without the other.
  const named = (key) => find(`#hand [aria-keyshortcuts="${CSS.escape(key.toUpperCase())}"]`);

  function isForUs(event) {
    if (event.defaultPrevented || event.repeat || event.isComposing) return false;
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return false;
    if (!/^[0-9a-z]$/i.test(event.key) || !document.documentElement.classList.contains("js")) return false;
    return !event.target.closest?.(FIELDS) && !find("details.menu[open]");
  }

  document.addEventListener("keydown", (event) => {
    const control = isForUs(event) ? named(event.key) : null;
    if (!control) return;
    event.preventDefault();
    if (control.matches(".pick__box")) {
      control.click();
      const ticked = control.checked ? "ticked" : "not ticked";
      find("#announce").textContent = `${control.getAttribute("aria-label")}: ${ticked}`;
    } else if (control.matches("#sort-menu summary")) {
      sortAnew(control.parentElement);
    } else if (control.getAttribute("aria-busy") !== "true") {
      control.click();
    }
  });

  // The next order after the one that is shown, and the first after the last.
  function sortAnew(menu) {
    const orders = [...menu.querySelectorAll("[name='hand_order']")];
    const shown = orders.findIndex((order) => order.getAttribute("aria-pressed") === "true");
    const next = orders[(shown + 1) % orders.length];
    find("#announce").textContent = `Your hand: ${next.textContent}`;
    next.click();
  }

  // Turned off or on: what is shown beside cards and buttons follows.
  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail;
    if (ctx.request.submitter?.name !== "keys" || ctx.response?.status !== 204) return;
    for (const choice of ctx.sourceElement.querySelectorAll("[name='keys']")) {
      choice.setAttribute("aria-pressed", String(choice === ctx.request.submitter));
    }
    if (find("#table")) document.dispatchEvent(new Event("part:wanted"));
    else if (find("#hand")) location.reload();
  });
})();
