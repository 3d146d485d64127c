/* Playing with others: the time that is left, whose turn it is, and passing on an invitation. */
(() => {
  "use strict";

  const find = (selector) => document.querySelector(selector);

  // -- The clock: seconds from the server, counted down by a clock that nobody can set --------

  // An answer was made at some time between its question and its arrival, so it says between which
  // two times a turn ends. All answers about the same turn together say it more and more exactly.
  const clock = { ends: "", earliest: 0, latest: 0, shown: Infinity, told: false, timer: 0 };

  const now = () => performance.now();

  function heardTime(asked, answered) {
    const dial = find("#clock");
    if (!dial) return;
    const left = Number(dial.dataset.leftMs);
    if (dial.dataset.ends === clock.ends) {
      clock.earliest = Math.max(clock.earliest, asked + left);
      clock.latest = Math.min(clock.latest, answered + left);
    } else {
      Object.assign(clock, { ends: dial.dataset.ends, shown: Infinity, told: false });
      clock.earliest = asked + left;
      clock.latest = answered + left;
    }
    const apart = clock.earliest - clock.latest;
    if (apart > 0) {
      // Of two answers that disagree the later one is right. Far apart they are only when one of the
      // clocks stood still: this machine slept, or the server was down and gives that time back.
      if (apart > 1000) clock.shown = Infinity;
      [clock.earliest, clock.latest] = [asked + left, answered + left];
    }
    showClock();
  }

  function words(seconds) {
    if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const hours = Math.floor(seconds / 3600);
    if (hours < 24) return `${hours} h ${Math.floor((seconds % 3600) / 60)} min`;
    const days = Math.floor(hours / 24);
    return `${days} ${days === 1 ? "day" : "days"} ${hours % 24} h`;
  }

  function showClock() {
    const shown = find("#clock");
    const text = find("#clock-text");
    if (!shown || !text) return;
    clearTimeout(clock.timer);
    const rest = Math.max(0, (clock.earliest + clock.latest) / 2 - now());
    // What is shown of one turn does not grow because its end has become known more exactly.
    const left = Math.min(clock.shown, Math.ceil(rest / 1000));
    clock.shown = left;
    text.textContent = words(left);
    // Next when another second is over, and not up to a second later.
    if (rest > 0) clock.timer = setTimeout(showClock, rest % 1000 + 5);
    const near = left <= 10;
    shown.classList.toggle("clock--near", near);
    if (near && !clock.told && "mine" in shown.dataset) {
      clock.told = true;
      find("#announce").textContent = `${left} seconds left for your turn.`;
    }
  }

  // Timers of a hidden page may be late.
  document.addEventListener("visibilitychange", showClock);

  // A machine that slept may have stopped this clock, though not the turn: then the time of day has
  // gone on without it, and only the server knows what is left.
  const behind = () => Date.now() - now();
  let lastBehind = behind();

  setInterval(() => {
    const slept = Math.abs(behind() - lastBehind) > 1000;
    lastBehind = behind();
    if (slept && find("#clock")) document.dispatchEvent(new Event("part:wanted"));
  }, 1000);

  // -- One's turn: the icon, and what one asked to be told by ----------------------------------

  // What a browser that stores nothing is asked to keep lasts as long as the page.
  const kept = {
    here: {},
    get(name) {
      try {
        return localStorage.getItem(name);
      } catch {
        return this.here[name];
      }
    },
    set(name, value) {
      try {
        localStorage.setItem(name, value);
      } catch {
        this.here[name] = value;
      }
    },
  };

  const wishes = {
    has: (name) => kept.get(`tell-${name}`) === "on",
    set: (name, on) => kept.set(`tell-${name}`, on ? "on" : "off"),
  };

  let sound = null;

  // Browsers let a page sound once it has been touched.
  function wake() {
    if (!wishes.has("sound") || !("AudioContext" in window)) return;
    sound ??= new AudioContext();
    sound.resume();
  }

  for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, wake, { once: true });

  async function ring() {
    try {
      const asked = performance.now();
      sound ??= new AudioContext();
      await sound.resume();
      // A sound that had to wait for a touch would come when its turn is old.
      if (performance.now() - asked > 1000) return;
      const start = sound.currentTime;
      const loud = sound.createGain();
      loud.connect(sound.destination);
      loud.gain.setValueAtTime(0.12, start);
      loud.gain.exponentialRampToValueAtTime(0.001, start + 0.5);
      const tone = sound.createOscillator();
      tone.frequency.setValueAtTime(660, start);
      tone.frequency.setValueAtTime(880, start + 0.12);
      tone.connect(loud);
      tone.start(start);
      tone.stop(start + 0.5);
    } catch {
      // A browser that makes no sound has other ways to tell.
    }
  }

  function notify() {
    if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
    try {
      const note = new Notification("Your turn", { body: "Raise the Sum", tag: location.pathname });
      note.addEventListener("click", () => {
        window.focus();
        note.close();
      });
    } catch {
      // Some telephones show notices by a service worker only, which this page has none of.
    }
  }

  // One's turn is told of once, in however many tabs its table is open.
  function isNews(turn) {
    if (kept.get("told-turn") === turn) return false;
    kept.set("told-turn", turn);
    return true;
  }

  let wasMine = null;

  function lookWhoseTurn() {
    const table = find("#table");
    if (!table) return;
    const mine = "myTurn" in table.dataset;
    const icon = find('link[rel="icon"]');
    if (icon?.dataset.turn) {
      icon.dataset.plain ??= icon.getAttribute("href");
      icon.setAttribute("href", mine ? icon.dataset.turn : icon.dataset.plain);
    }
    if (mine && wasMine === false && isNews(`${location.pathname} ${table.dataset.log}`)) {
      if (wishes.has("sound")) ring();
      if (wishes.has("notice")) notify();
    }
    wasMine = mine;
  }

  function showWishes() {
    for (const choice of document.querySelectorAll("[data-tell]")) {
      choice.setAttribute("aria-pressed", String(wishes.has(choice.dataset.tell)));
    }
  }

  document.addEventListener("click", async (event) => {
    const choice = event.target.closest?.("[data-tell]");
    if (!choice) return;
    const name = choice.dataset.tell;
    let on = !wishes.has(name);
    if (on && name === "notice") {
      const answer = "Notification" in window ? await Notification.requestPermission() : "denied";
      if (answer !== "granted") {
        on = false;
        find("#alert").textContent = "This browser does not allow notices from here.";
      }
    }
    wishes.set(name, on);
    if (on && name === "sound") ring();
    showWishes();
  });

  // -- Passing on an invitation -----------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-share]");
    if (button) navigator.share({ title: document.title, url: button.dataset.share }).catch(() => {});
  });

  function begin() {
    const [load] = performance.getEntriesByType("navigation");
    const at = load ? load.domContentLoadedEventStart : 0;
    for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
    heardTime(now() - (load ? at - load.requestStart : 0), now() - (load ? at - load.responseStart : 0));
    showWishes();
    lookWhoseTurn();
  }

  document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("part:came", (event) => {
    const { ctx, part } = event.detail;
    if (part?.id !== "table") return;
    heardTime(ctx.askedAt, ctx.answeredAt);
    lookWhoseTurn();
  });
})();
