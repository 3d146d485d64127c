/* What htmx and the browser do not do by themselves. Everything works without this file too. */
(() => {
  "use strict";

  const root = document.documentElement;
  root.classList.add("js");

  const find = (selector) => document.querySelector(selector);

  // -- The hand: how many cards are ticked ------------------------------------------------

  function count() {
    const form = find("#hand");
    if (!form) return;
    const ticked = form.querySelectorAll(".pick__box:checked").length;
    const play = form.querySelector("#play");
    if (play) {
      const words = ticked === 1 ? play.dataset.count : play.dataset.countMore;
      play.textContent = ticked ? words.replace("{}", ticked) : "Play cards";
    }
    const left = form.querySelector("#discard-count");
    if (left) {
      const missing = Number(left.dataset.needed) - ticked;
      left.textContent =
        missing > 0 ? `${missing} still to choose` : missing < 0 ? `${-missing} too many` : "Ready to discard";
    }
  }

  document.addEventListener("change", (event) => {
    if (event.target.matches?.(".pick__box")) {
      retry.forget();
      find("#refusal")?.remove();
      count();
    }
  });

  // Enter in a tick box presses the form's first button, which asks for the sum on pages without
  // this script. Here the sum is there already, and nothing may be played or passed by accident.
  document.addEventListener(
    "submit",
    (event) => {
      if (event.submitter?.id !== "check-sum") return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );

  // -- A lost connection: say so, keep everything, try again --------------------------------

  // A move whose answer never came is sent once more: the server takes a repeat of the move it
  // has just accepted as that move, so this cannot play twice. Any new choice calls it off.
  const retry = {
    timer: 0,
    wait: 1000,
    plan(form, submitter) {
      this.forget();
      const version = form.dataset.version;
      this.timer = setTimeout(() => {
        const now = find("#hand");
        const button = now && submitter?.id ? now.querySelector(`#${submitter.id}`) : null;
        if (now && button && now.dataset.version === version) now.requestSubmit(button);
      }, this.wait);
      this.wait = Math.min(this.wait * 2, 8000);
    },
    forget() {
      clearTimeout(this.timer);
    },
  };

  function lost() {
    const notice = find("#lost");
    if (notice && !notice.textContent) notice.textContent = notice.dataset.text;
  }

  function found() {
    const notice = find("#lost");
    if (notice) notice.textContent = "";
    retry.wait = 1000;
  }

  function failed(ctx) {
    lost();
    if (ctx.sourceElement?.id === "hand") retry.plan(ctx.sourceElement, ctx.request?.submitter);
  }

  document.addEventListener("htmx:error", (event) => {
    // Without an answer it was the line that failed, not the page.
    if (event.detail.ctx && !event.detail.ctx.response) failed(event.detail.ctx);
  });

  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail;
    const status = ctx.response?.status ?? 0;
    if (status >= 500) {
      failed(ctx);
    } else {
      found();
      // These answers are whole pages about the table being out of reach: show them as such.
      if ([403, 404].includes(status)) location.reload();
    }
  });

  // -- Focus: what was focused may be gone after a swap ------------------------------------

  let hadFocus = false;

  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx } = event.detail;
    hadFocus = Boolean(document.activeElement?.closest("#table")) || ctx.request?.method === "POST";
  });

  document.addEventListener("htmx:after:swap", (event) => {
    const { ctx } = event.detail;
    count();
    if (!hadFocus || ctx.target?.id !== "table") return;
    const asks = find("#table [data-take-focus]");
    if (asks && asks !== shown && ctx.request.method === "POST") asks.focus();
    else if (document.activeElement === document.body) find("#hand-title")?.focus({ preventScroll: true });
    shown = asks;
  });

  let shown = null;

  // -- Settings: take effect at once --------------------------------------------------------

  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (form.matches("[data-theme-form]") && submitter?.name === "theme") {
      root.dataset.theme = submitter.value;
      for (const choice of form.querySelectorAll(".menu__choice")) {
        choice.setAttribute("aria-pressed", String(choice === submitter));
      }
      close(form.closest("details"), true);
    }
  });

  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail;
    if (!ctx.sourceElement?.matches?.("[data-refresh]") || ctx.response?.status !== 204) return;
    close(find("#sort-menu"), true);
    refresh();
  });

  function refresh() {
    const table = find("#table");
    if (table) htmx.ajax("GET", table.dataset.part, { source: table, target: "#table", swap: "outerMorph" });
  }

  // -- Menus close on Escape and on a click elsewhere ---------------------------------------

  function close(menu, keepFocus) {
    if (!menu?.open) return;
    menu.open = false;
    if (keepFocus) menu.querySelector("summary").focus();
  }

  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) close(menu, false);
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = document.activeElement?.closest("details.menu[open]");
    if (menu) close(menu, true);
    else find("#card-of-rules:popover-open")?.hidePopover();
  });

  // -- A hidden page asks rarely, and at once when it is seen again -------------------------

  let asked = 0;

  document.addEventListener("htmx:before:request", (event) => {
    if (event.detail.ctx.sourceElement?.id !== "table") return;
    if (document.hidden && Date.now() - asked < 30000) event.preventDefault();
    else asked = Date.now();
  });

  document.addEventListener("visibilitychange", () => {
    const table = find("#table[hx-get]");
    if (!document.hidden && table) htmx.trigger(table, "every");
  });

  document.addEventListener("DOMContentLoaded", count);
  // Back may bring ticks with it.
  addEventListener("pageshow", count);
})();
