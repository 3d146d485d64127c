/* What htmx and the browser do not do by themselves. Everything works without this file too. */
(() => {
  "use strict";

  const root = document.documentElement;
  const find = (selector) => document.querySelector(selector);

  // -- With htmx, or as without scripts -------------------------------------------------------

  // Only where htmx is there as well the page may drop what it has for browsers without scripts. Until
  // that is known it shows neither (`awaits-htmx`), so that nothing jumps; but it does not wait long.
  const LONGEST_WAIT = 4000;
  const scripted = () => root.classList.contains("js");

  root.classList.add("awaits-htmx");

  function htmxIsKnown() {
    root.classList.remove("awaits-htmx");
    if (!window.htmx) return withoutHtmx.begin();
    if (scripted()) return;
    withoutHtmx.end();
    root.classList.add("js");
    whenRead(() => document.dispatchEvent(new Event("page:ready")));
  }

  function whenRead(act) {
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", act, { once: true });
    else act();
  }

  for (const name of ["load", "error"]) {
    document.addEventListener(name, (event) => event.target.matches?.("[data-swaps]") && htmxIsKnown(), true);
  }
  addEventListener("load", htmxIsKnown);
  setTimeout(htmxIsKnown, LONGEST_WAIT);

  // Without it the page asks for itself anew while its owner waits, and not while they do something.
  const withoutHtmx = {
    timer: 0,
    begin() {
      this.timer ||= setInterval(() => this.look(), 5000);
    },
    end() {
      clearInterval(this.timer);
      this.timer = 0;
    },
    look() {
      const waits = find("#table[hx-get]:not([data-my-turn]), #room[data-waits]");
      const isBusy = find("main details[open]:not(.log__play), nav details[open]")
        || document.activeElement?.matches("input, select, textarea")
        || find("[aria-busy='true']");
      if (waits && !isBusy && !document.hidden) location.replace(find("#check-now")?.href ?? location.href);
    },
  };

  // The page's own clock, which nobody can set.
  const now = () => performance.now();

  // -- What answers bring -------------------------------------------------------------------

  // htmx "swaps" an empty answer as well, and one that is not for showing. So whatever waits for
  // news of a part listens to this event instead: a part of the page has really come.
  document.addEventListener("htmx:after:swap", (event) => {
    const { ctx } = event.detail;
    if (ctx.swap === "none") return;
    const part = typeof ctx.target === "string" ? find(ctx.target) : ctx.target;
    document.dispatchEvent(new CustomEvent("part:came", { detail: { ctx, part } }));
  });

  // When a question was sent and its answer began to come, by which the answer's age is known.
  document.addEventListener("htmx:before:request", (event) => (event.detail.ctx.askedAt = now()));
  document.addEventListener("htmx:before:response", (event) => (event.detail.ctx.answeredAt = now()));

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
    form.classList.toggle("hand--ticked", ticked > 0);
    const left = form.querySelector("#discard-count");
    if (left) {
      const missing = Number(left.dataset.needed) - ticked;
      const words =
        missing > 0 ? `${missing} still to choose` : missing < 0 ? `${-missing} too many` : "Ready to discard";
      // Its changes are spoken, so it changes only when there is something new to say.
      if (left.textContent !== words) left.textContent = words;
    }
  }

  // A sum that is too long for its line shows its end, and can be scrolled by keys as well.
  function fitSum() {
    const line = find("#hand .worked");
    if (!line) return;
    const cut = line.scrollWidth > line.clientWidth;
    line.classList.toggle("worked--cut", cut);
    if (cut) line.tabIndex = 0;
    else line.removeAttribute("tabindex");
  }

  addEventListener("resize", fitSum);
  document.addEventListener("part:came", fitSum);
  document.addEventListener("DOMContentLoaded", fitSum);

  // A reload brings the hand without its ticks. They are kept for the version they were made for.
  const ticks = {
    // The lesson tells in its address what has been played.
    of: (form) => `${location.pathname} ${form.dataset.version ?? location.search}`,
    keep() {
      const form = find("#hand");
      const ids = [...form.querySelectorAll(".pick__box:checked")].map((box) => box.id);
      try {
        sessionStorage.setItem("ticks", JSON.stringify({ of: this.of(form), ids }));
      } catch {
        // A browser that stores nothing forgets them.
      }
    },
    bringBack() {
      const form = find("#hand");
      if (!form || form.querySelector(".pick__box:checked")) return;
      let kept = null;
      try {
        kept = JSON.parse(sessionStorage.getItem("ticks"));
      } catch {
        return;
      }
      if (kept?.of !== this.of(form)) return;
      const boxes = [...form.querySelectorAll(".pick__box")].filter((box) => kept.ids.includes(box.id));
      for (const box of boxes) box.checked = true;
      // As if the last one had just been ticked, so that the sum is asked for.
      boxes.at(-1)?.dispatchEvent(new Event("change", { bubbles: true }));
    },
  };

  // By then htmx listens, too.
  addEventListener("pageshow", () => ticks.bringBack());

  document.addEventListener("change", (event) => {
    if (event.target.matches?.(".pick__box")) {
      ticks.keep();
      retry.forget();
      find("#refusal")?.remove();
      find("#alert").textContent = "";
      count();
      sum.check();
    }
  });

  // -- The sum of the ticked cards: never another's --------------------------------------------

  // What is shown says of which cards it is (`data-of`). At a tick the sum of other cards is dimmed at
  // once; it makes room when its successor is slow to come or does not come at all, and that one is
  // asked for again, less and less often, and when the line is back.
  const sum = {
    asking: null,
    tries: 0,
    timer: 0,
    slow: 0,
    places: () => document.querySelectorAll("#hand [data-sum]"),
    ticked: () =>
      [...document.querySelectorAll("#hand .pick__box:checked")]
        .map((box) => box.value)
        .sort()
        .join(" "),
    check() {
      const places = [...this.places()];
      const cards = this.ticked();
      const isOld = places.some((place) => place.dataset.of !== cards);
      for (const place of places) place.setAttribute("aria-busy", String(isOld));
      // A slow answer that is still right is worth waiting for.
      if (isOld && this.asking?.cards === cards && this.asking.by.isConnected) return;
      this.rest();
      if (!isOld) return;
      this.tries = 0;
      this.timer = setTimeout(() => this.ask(), 120);
      this.slow = setTimeout(() => this.empty(), 1500);
    },
    ask() {
      clearTimeout(this.timer);
      const asks = find("#hand [data-sum][hx-post]");
      if (asks && scripted()) htmx.trigger(asks, "ask");
    },
    rest() {
      clearTimeout(this.timer);
      clearTimeout(this.slow);
    },
    empty() {
      for (const place of this.places()) if (place.getAttribute("aria-busy") === "true") place.replaceChildren();
    },
    // Say of which cards the sum is that is shown from now on.
    shows(cards) {
      this.rest();
      for (const place of this.places()) {
        place.dataset.of = cards;
        place.setAttribute("aria-busy", "false");
      }
    },
    failed() {
      this.empty();
      this.tries += 1;
      clearTimeout(this.timer);
      if (this.tries < 8) this.timer = setTimeout(() => this.ask(), 500 * 2 ** this.tries);
    },
    lineIsBack() {
      if (this.tries > 0 && find("#hand [data-sum][aria-busy='true']")) this.ask();
    },
    // A refusal brings the sum that it is about; by now other cards may be ticked.
    refused(part) {
      for (const brought of part.querySelectorAll("[data-sum]")) {
        if (!brought.dataset.of || brought.dataset.of !== this.ticked()) continue;
        document.getElementById(brought.id)?.replaceChildren(...brought.cloneNode(true).childNodes);
        this.shows(brought.dataset.of);
      }
    },
  };

  const isSum = (ctx) => Boolean(ctx.sourceElement?.matches?.("[data-sum]"));

  document.addEventListener("htmx:before:request", (event) => {
    const { ctx } = event.detail;
    if (isSum(ctx)) sum.asking = ctx.asks = { cards: sum.ticked(), by: ctx.sourceElement };
    // A play's answer says what its cards come to, or that it was taken.
    if (ctx.sourceElement?.id !== "hand") return;
    clearTimeout(sum.timer);
    find("#alert").textContent = "";
  });

  document.addEventListener("htmx:finally:request", (event) => {
    if (event.detail.ctx.asks === sum.asking) sum.asking = null;
  });

  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx, tasks } = event.detail;
    if (ctx.target?.id === "table") for (const task of tasks) sum.refused(task.fragment);
    if (!isSum(ctx) || ctx.response.status !== 200) return;
    if (ctx.asks.cards === sum.ticked()) sum.shows(ctx.asks.cards);
    else event.preventDefault();
  });

  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail;
    const status = ctx.response?.status ?? 0;
    if (!isSum(ctx) || status === 200 || status >= 500 || !ctx.sourceElement.isConnected) return;
    // The table has moved on, or the form is too old: what comes instead may ask for itself, once.
    sum.rest();
    sum.empty();
    sum.tries += 1;
    if (status === 204) refresh();
  });

  document.addEventListener("part:came", (event) => {
    if (event.detail.part?.id !== "table") return;
    if (!isSum(event.detail.ctx) || sum.tries < 2) sum.check();
  });

  // Enter in a tick box presses the form's first button, which asks for the sum on pages without
  // this script. Here the sum is there already, and nothing may be played or passed by accident.
  document.addEventListener(
    "submit",
    (event) => {
      if (event.submitter?.id !== "check-sum" || !scripted()) return;
      event.preventDefault();
      event.stopPropagation();
      find("#alert").textContent = document.activeElement?.matches(".pick__box")
        ? "Enter neither plays nor passes: Space ticks this card, and the buttons below play and pass."
        : "Enter neither plays nor passes: press a button below.";
    },
    true,
  );

  // -- What was pressed looks pressed until its answer is there ----------------------------------

  const pressed = {
    show(control) {
      control?.setAttribute("aria-busy", "true");
    },
    hide(control) {
      control?.removeAttribute("aria-busy");
    },
    of: (ctx) =>
      ctx.request.submitter ?? (ctx.sourceElement?.matches?.("a, button") ? ctx.sourceElement : null),
  };

  document.addEventListener("htmx:before:request", (event) => pressed.show(pressed.of(event.detail.ctx)));
  document.addEventListener("htmx:finally:request", (event) => {
    const { ctx } = event.detail;
    // A move that is going to be sent again is still on its way.
    if (ctx.sourceElement?.id !== "hand" || !retry.again) pressed.hide(pressed.of(ctx));
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a.button, a.nav__item");
    const isElsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (!link || event.defaultPrevented || isElsewhere || link.getAttribute("href").startsWith("#")) return;
    pressed.show(link);
    setTimeout(() => pressed.hide(link), 10000);
  });

  // A form that leads to another page is sent once, however often its button is pressed while the
  // answer is on its way. When nothing came for a while it may be sent again, each time after longer.
  const PATIENCE = 5000;

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || (scripted() && form.matches("[hx-post]"))) return;
    if ("sent" in form.dataset) return event.preventDefault();
    const tries = Number(form.dataset.tries ?? 0);
    Object.assign(form.dataset, { sent: "", tries: tries + 1 });
    pressed.show(event.submitter);
    setTimeout(() => mayBeSent(form), PATIENCE * 2 ** Math.min(tries, 4));
  });

  function mayBeSent(form) {
    delete form.dataset.sent;
    for (const control of form.elements) pressed.hide(control);
  }

  addEventListener("pageshow", () => {
    document.querySelectorAll("form[data-sent]").forEach(mayBeSent);
    document.querySelectorAll("a[aria-busy]").forEach(pressed.hide);
  });

  // -- Form tokens: somebody signed in or out in another tab --------------------------------

  // The part that is swapped brings a token that is good; forms outside of it take it over.
  function renewTokens() {
    const token = find("#table, #room")?.dataset.token;
    if (!token) return;
    for (const field of document.querySelectorAll('input[name="csrf_token"]')) field.value = token;
  }

  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail;
    const status = ctx.response?.status ?? 0;
    if (!ctx.sourceElement?.matches?.("form") || ctx.sourceElement.closest("#table, #room")) return;
    // What was said about the last try is over with the next one that works.
    if (status < 400 && find("#alert")) find("#alert").textContent = "";
    if (status === 400) refresh();
  });

  // -- Patience: on a slow line an answer may take longer, and a line shows how slow it is ------

  const patience = {
    ms: 0,
    least: () => htmx.config.defaultTimeout,
    within(ms) {
      this.ms = Math.min(Math.max(ms, this.least()), 8 * this.least());
    },
  };

  document.addEventListener("htmx:config:request", (event) => {
    patience.within(patience.ms);
    event.detail.ctx.request.timeout = patience.ms;
  });

  document.addEventListener("htmx:before:response", (event) => {
    patience.within(3 * (now() - event.detail.ctx.askedAt));
  });

  document.addEventListener("htmx:error", (event) => {
    if (event.detail.ctx?.request?.signal.reason === "timeout") patience.within(2 * event.detail.ctx.request.timeout);
  });

  // -- A lost connection: say so, keep everything, try again --------------------------------

  // A move whose answer never came is sent once more: the server takes a repeat of the move it
  // has just accepted as that move, so this cannot play twice. Any new choice calls it off.
  const retry = {
    timer: 0,
    tries: 0,
    again: null,
    plan(form, submitter) {
      clearTimeout(this.timer);
      const version = form.dataset.version;
      this.again = () => {
        clearTimeout(this.timer);
        const now = find("#hand");
        const button = now && submitter?.id ? now.querySelector(`#${submitter.id}`) : null;
        if (now && button && now.dataset.version === version) button.click();
      };
      this.timer = setTimeout(this.again, Math.min(1000 * 2 ** this.tries, 60000));
      this.tries += 1;
    },
    forget() {
      clearTimeout(this.timer);
      if (this.again) document.querySelectorAll("#hand button[aria-busy]").forEach(pressed.hide);
      this.again = null;
      this.tries = 0;
    },
    // A line that is back is worth a try at once, but not for ever at each sign of life.
    lineIsBack() {
      if (this.tries <= 3) this.again?.();
    },
  };

  // Whether anything but the sum, which asks again by itself, was without an answer lately.
  let isDown = false;

  // What was sent may have arrived, though nothing came back.
  function lost(ctx) {
    const notice = find("#lost");
    if (!notice) return;
    const isMove = ctx.sourceElement?.id === "hand";
    const words = isMove ? notice.dataset.move : pressed.of(ctx) ? notice.dataset.pressed : notice.dataset.text;
    if (!notice.textContent || (words !== notice.dataset.text && words !== notice.textContent)) {
      notice.textContent = words;
    }
  }

  function found() {
    const notice = find("#lost");
    if (notice) notice.textContent = "";
  }

  function failed(ctx) {
    lost(ctx);
    if (ctx.sourceElement?.closest?.("#replay")) replay.again(ctx.sourceElement);
    if (ctx.sourceElement?.id === "hand") retry.plan(ctx.sourceElement, ctx.request?.submitter);
    if (isSum(ctx)) sum.failed();
    else isDown = true;
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
      if (ctx.sourceElement?.id === "hand") retry.forget();
      if (!isSum(ctx) && isDown) {
        isDown = false;
        sum.lineIsBack();
        // When all of this answer is dealt with: it may itself show what became of the move.
        setTimeout(() => retry.lineIsBack());
      }
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

  document.addEventListener("part:came", (event) => {
    const { ctx, part } = event.detail;
    count();
    renewTokens();
    if (!hadFocus || part?.id !== "table") return;
    const asks = find("#table [data-take-focus]");
    if (asks && asks !== shown && ctx.request.method === "POST") asks.focus();
    else if (document.activeElement === document.body) find("#hand-title")?.focus({ preventScroll: true });
    shown = asks;
  });

  let shown = null;

  // -- Settings: take effect at once --------------------------------------------------------

  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    const setting = { theme: "theme", text_size: "text" }[submitter?.name];
    if (form.matches("[data-theme-form]") && setting) {
      root.dataset[setting] = submitter.value;
      for (const choice of form.querySelectorAll(`[name="${submitter.name}"]`)) {
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
    asked = -Infinity;
    if (!table || !scripted()) return;
    // A poll that is on its way may bring the table from before what is to be shown: it gives way. A
    // move does not; its answer is later than this.
    const sync = table.getAttribute("hx-sync");
    table.setAttribute("hx-sync", "this:drop");
    htmx.ajax("GET", table.dataset.part, { source: table, target: "#table", swap: "outerMorph" });
    if (sync) table.setAttribute("hx-sync", sync);
    else table.removeAttribute("hx-sync");
  }

  document.addEventListener("part:wanted", refresh);

  // -- Replays: arrow keys, going on by itself, and the address of the step that is shown --------

  const replay = {
    keys: { ArrowLeft: "step-back", ArrowRight: "step-forward", Home: "step-first", End: "step-last" },
    timer: 0,
    busy: false,
    waiting: [],
    // Keys that are pressed before the last one's step has come are not lost.
    step(id) {
      const way = find(`#${id}`);
      if (this.busy) this.waiting.push(id);
      else if (way && way.getAttribute("aria-disabled") !== "true") way.click();
      else this.waiting = [];
    },
    shown() {
      const part = find("#replay");
      if (!part) return;
      this.busy = false;
      if (part.dataset.address) history.replaceState(null, "", part.dataset.address);
      find(".steps__pick[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
      this.goOn();
      const id = this.waiting.shift();
      if (id) this.step(id);
    },
    goOn() {
      clearTimeout(this.timer);
      const seconds = Number(find("#replay")?.dataset.seconds);
      if (!seconds) return;
      this.timer = setTimeout(() => (document.hidden ? this.goOn() : this.step("step-forward")), seconds * 1000);
    },
    again(way) {
      this.busy = false;
      this.waiting = [];
      this.timer = setTimeout(() => way.click(), 2000);
    },
  };

  document.addEventListener("keydown", (event) => {
    const id = find("#replay") && replay.keys[event.key];
    if (!id || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select")) return;
    // A list that scrolls has these two for itself.
    if (["Home", "End"].includes(event.key) && event.target.closest("[tabindex='0']")) return;
    event.preventDefault();
    replay.step(id);
  });

  document.addEventListener("htmx:before:request", (event) => {
    if (!event.detail.ctx.sourceElement?.closest?.("#replay")) return;
    clearTimeout(replay.timer);
    replay.busy = true;
  });

  document.addEventListener("part:came", (event) => {
    if (event.detail.part?.id === "replay") replay.shown();
  });

  document.addEventListener("DOMContentLoaded", () => replay.goOn());

  // -- Sums to practise: the next question stands there as soon as one is answered -------------

  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx.target?.id !== "drill") return;
    const box = find("#answer");
    // A morph keeps what was typed for the question before.
    if (box) box.value = box.getAttribute("value");
    const next = box ?? find("#result");
    next?.focus({ preventScroll: true });
    // Both are to be seen; where only one can be, it is what comes next.
    for (const part of [find("#verdict"), next]) part?.scrollIntoView({ block: "nearest" });
  });

  // -- Copying a text that stands on the page ----------------------------------------------

  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    button.dataset.label ??= button.textContent;
    button.textContent = (await copied(find(button.dataset.copy))) ? button.dataset.done : button.dataset.fail;
    find("#announce").textContent = button.textContent;
    setTimeout(() => (button.textContent = button.dataset.label), 2000);
  });

  async function copied(source) {
    // The text is selected as a hand would, so that what follows by hand is one key.
    if (source.select) source.select();
    else getSelection().selectAllChildren(source);
    try {
      await navigator.clipboard.writeText(source.value ?? source.textContent);
      return true;
    } catch {
      // Over plain HTTP, as at home, browsers have no clipboard but the old way.
      return document.execCommand("copy");
    }
  }

  // -- What happened at the table since this browser last showed it --------------------------

  const looked = {
    before: -1,
    returned: false,
    all() {
      try {
        return JSON.parse(localStorage.getItem("looked")) ?? {};
      } catch {
        return {};
      }
    },
    // Remember what is shown now; of other tables only the last few.
    note() {
      const table = find("#table[data-log]");
      const since = find("#since");
      if (!table || !since || document.hidden) return;
      this.before = Number(table.dataset.log);
      const others = Object.entries(this.all()).filter(([key]) => key !== since.dataset.table);
      try {
        const kept = [...others.slice(-40), [since.dataset.table, this.before]];
        localStorage.setItem("looked", JSON.stringify(Object.fromEntries(kept)));
      } catch {
        // A browser that stores nothing tells everything since one's last move.
      }
    },
    tell() {
      const since = find("#since");
      if (!since) return;
      // A browser that has never shown the table tells all since one's last move.
      const lines = [
        ...document.querySelectorAll(this.before < 0 ? "#table .log__line--fresh" : "#table .log__line"),
      ].filter((line) => Number(line.dataset.number) > this.before);
      find("#since-list").replaceChildren(...lines.reverse().map(told));
      since.classList.toggle("since--told", lines.length > 0);
    },
    hide() {
      find("#since")?.classList.remove("since--told");
    },
  };

  function told(line) {
    const item = document.createElement("li");
    item.append(...line.querySelector(".log__said").cloneNode(true).childNodes);
    return item;
  }

  document.addEventListener("page:ready", () => {
    looked.before = looked.all()[find("#since")?.dataset.table] ?? -1;
    looked.tell();
    looked.note();
  });

  document.addEventListener("visibilitychange", () => {
    looked.returned = scripted() && !document.hidden;
    if (looked.returned) looked.tell();
  });

  document.addEventListener("htmx:after:swap", (event) => {
    const { ctx } = event.detail;
    // An empty answer counts here: with it the page has shown all there is to see.
    if (ctx.target?.id !== "table" || ctx.response.status >= 500) return;
    if (ctx.request.method === "POST") looked.hide();
    else if (looked.returned) looked.tell();
    looked.returned = false;
    looked.note();
  });

  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("#since-close")) return;
    looked.hide();
    find("#hand-title")?.focus({ preventScroll: true });
  });

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
    else rulesCard.hide();
  });

  // -- The rules card: a popover, and in browsers without popovers a part that is shown or not ----

  const rulesCard = {
    isNative: "showPopover" in HTMLElement.prototype,
    isOpen() {
      const card = find("#card-of-rules");
      // Older browsers do not know the selector and would throw.
      return Boolean(card) && (this.isNative ? card.matches(":popover-open") : "open" in card.dataset);
    },
    toggle() {
      const card = find("#card-of-rules");
      const open = card.toggleAttribute("data-open");
      this.opener()?.setAttribute("aria-expanded", String(open));
    },
    opener() {
      return find('[popovertarget="card-of-rules"]:not([popovertargetaction])');
    },
    hide() {
      if (!this.isOpen()) return;
      this.giveFocusBack();
      if (this.isNative) find("#card-of-rules").hidePopover();
      else this.toggle();
    },
    // What has the focus in a card that closes, or nothing at all, hands it to the button that opens.
    giveFocusBack() {
      const focused = document.activeElement;
      if (focused === document.body || focused?.closest("#card-of-rules")) this.opener()?.focus({ preventScroll: true });
    },
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.('[popovertarget="card-of-rules"]');
    if (button?.hasAttribute("popovertargetaction")) {
      event.preventDefault();
      rulesCard.hide();
    } else if (button) {
      if (!rulesCard.isNative) rulesCard.toggle();
    } else if (
      // On a small screen the card lies over the table: a tap beside it puts it away.
      !event.target.closest?.("#card-of-rules") &&
      matchMedia("(max-width: 999px), (max-height: 520px)").matches
    ) {
      rulesCard.hide();
    }
  });

  // -- Asking for news: quickly at first, more slowly as nothing happens, and hidden rarely -----

  let asked = now();
  let news = now();

  // After the end others may want a rematch. That is asked for a while from the end on, and again
  // when somebody comes back to the page.
  const AFTER_END = 5 * 60 * 1000;
  let lookedAfterEnd = -Infinity;

  function lookAfterEnd() {
    if (find("#table[data-over]")) lookedAfterEnd = now();
  }

  const poller = () => find("#table[hx-get], #room[hx-get]");

  function pause(part) {
    if ("over" in part.dataset && now() - lookedAfterEnd > AFTER_END) return Infinity;
    // A hidden page needs to know only what its owner waits for: the turn, or others who come.
    if (document.hidden) return "waits" in part.dataset ? 30000 : Infinity;
    if ("over" in part.dataset) return 5000;
    if ("quick" in part.dataset) return 0;
    const quiet = now() - news;
    return quiet < 8000 ? 2000 : quiet < 24000 ? 4000 : 8000;
  }

  document.addEventListener("htmx:before:request", (event) => {
    const part = poller();
    if (!part || event.detail.ctx.sourceElement !== part) return;
    // A timer is never quite on time.
    if (now() - asked < pause(part) - 200) event.preventDefault();
    else asked = now();
  });

  document.addEventListener("part:came", (event) => {
    if (["table", "room"].includes(event.detail.part?.id)) news = now();
  });

  function askNow() {
    const part = poller();
    if (!part || !scripted()) return false;
    asked = -Infinity;
    news = now();
    htmx.ajax("GET", part.getAttribute("hx-get"), { source: part, target: part, swap: "outerMorph" });
    return true;
  }

  document.addEventListener("DOMContentLoaded", lookAfterEnd);
  document.addEventListener("part:came", (event) => {
    if (event.detail.part?.id === "table" && lookedAfterEnd === -Infinity) lookAfterEnd();
  });

  function lookAgain() {
    lookAfterEnd();
    return askNow();
  }

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) lookAgain();
  });

  // A page that Back brings as it was left tells of tables as they were then.
  addEventListener("pageshow", (event) => {
    if (!event.persisted || lookAgain()) return;
    const page = find("[data-asks-anew]");
    if (find("#table")) refresh();
    else if (page) location.replace(page.dataset.asksAnew);
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("#check-now") && lookAgain()) event.preventDefault();
  });

  let checked = now();

  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail;
    const status = ctx.response?.status ?? 0;
    if (["table", "room"].includes(ctx.sourceElement?.id) && status >= 200 && status < 400) {
      checked = now();
      tellChecked();
    }
  });

  function tellChecked() {
    const told = find("#checked-ago");
    if (told && !document.hidden) told.textContent = `Checked ${Math.round((now() - checked) / 1000)} s ago.`;
  }

  setInterval(tellChecked, 1000);

  // -- Paper --------------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-print]")) print();
  });

  document.addEventListener("DOMContentLoaded", count);
  // Back may bring ticks with it.
  addEventListener("pageshow", () => {
    count();
    sum.check();
  });
  addEventListener("online", () => sum.lineIsBack());
})();
