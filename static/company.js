/* Playing with others: the time that is left, whose turn it is, and passing on an invitation. */
(() => {
  "use strict";

  const find = (selector) => document.querySelector(selector);

  // -- The clock: seconds from the server, counted down by a clock that nobody can set --------

  const clock = { end: 0, runsFor: "", told: false };

  function startClock() {
    const shown = find("#clock");
    if (!shown) return;
    // Each part that comes brings the same turn's seconds anew; its end is told of once.
    const runsFor = `${find("#table").dataset.log} ${shown.classList.contains("clock--graced")}`;
    if (runsFor !== clock.runsFor) clock.told = false;
    clock.runsFor = runsFor;
    clock.end = performance.now() + Number(shown.dataset.left) * 1000;
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
    const left = Math.max(0, Math.ceil((clock.end - performance.now()) / 1000));
    text.textContent = words(left);
    const near = left <= 10;
    shown.classList.toggle("clock--near", near);
    if (near && !clock.told && "mine" in shown.dataset) {
      clock.told = true;
      find("#announce").textContent = `${left} seconds left for your turn.`;
    }
  }

  setInterval(showClock, 1000);

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
    for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
    startClock();
    showWishes();
    lookWhoseTurn();
  }

  document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("htmx:after:swap", (event) => {
    if (event.detail.ctx.target?.id !== "table") return;
    startClock();
    lookWhoseTurn();
  });
})();
