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

  // A number and its unit stay on one line: a narrow clock shows the larger unit alone.
  function words(seconds) {
    if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const hours = Math.floor(seconds / 3600);
    if (hours < 24) return `${hours}\u00a0h ${Math.floor((seconds % 3600) / 60)}\u00a0min`;
    const days = Math.floor(hours / 24);
    return `${days}\u00a0${days === 1 ? "day" : "days"} ${hours % 24}\u00a0h`;
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
      find("#announce").textContent = `${left} ${left === 1 ? "second" : "seconds"} left for your turn.`;
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

  // -- One's turn and other news: the icon, and what one asked to be told by ----------------------------------

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

  function notify(text) {
    if (!document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
    try {
      const note = new Notification(text, { body: "Raise the Sum", tag: location.pathname });
      note.addEventListener("click", () => {
        window.focus();
        note.close();
      });
    } catch {
      // Some telephones show notices by a service worker only, which this page has none of.
    }
  }

  // What was told of each table, and who was seen in its waiting room, so that everything is told
  // once in however many tabs a table is open; of other tables only the last few.
  const known = {
    all() {
      try {
        return JSON.parse(kept.get("known")) ?? {};
      } catch {
        return {};
      }
    },
    here: () => known.all()[location.pathname] ?? {},
    note(more) {
      const others = Object.entries(known.all()).filter(([path]) => path !== location.pathname);
      const here = [location.pathname, { ...known.here(), ...more }];
      kept.set("known", JSON.stringify(Object.fromEntries([...others.slice(-40), here])));
    },
  };

  // In a waiting room it is who has come, that all have, and that one has become its host.
  function newsOfRoom(room) {
    const before = known.here().room;
    const now = {
      others: JSON.parse(room.dataset.others),
      full: "fullText" in room.dataset,
      host: "hostText" in room.dataset,
    };
    known.note({ room: now });
    if (!before) return [];
    // Who is called otherwise by now, or sits elsewhere, has not come anew.
    const names = Object.values(before.others);
    const come = Object.entries(now.others).filter(([seat, name]) => !before.others[seat] && !names.includes(name));
    return [
      ...come.map(([, name]) => room.dataset.satText.replace("{}", () => name)),
      ...(now.full && !before.full && come.length ? [room.dataset.fullText] : []),
      ...(now.host && !before.host ? [room.dataset.hostText] : []),
    ];
  }

  let wasMine = null;

  // At a table it is one's turn, a wish for a rematch, or that the match has begun.
  function newsOfTable(table) {
    const before = known.here();
    const { turn, turnText, wishes = "", wishesText, begunText } = table.dataset;
    const mine = "myTurn" in table.dataset;
    const comes = mine && !wasMine && turn !== before.turn;
    wasMine = mine;
    const toldOf = before.wishes ?? [];
    const seats = wishes ? wishes.split(",") : [];
    const wanted = seats.filter((seat) => !toldOf.includes(seat));
    known.note({ room: null, turn: turn ?? before.turn, wishes: [...toldOf, ...wanted] });
    if (comes) return [turnText];
    if (wanted.length) return [wishesText];
    return before.room && !mine && "waits" in table.dataset ? [begunText] : [];
  }

  // What was told while nobody looked stays in the title until somebody does.
  const untold = { text: "", plain: "" };

  function showTitle() {
    if (!untold.text) return;
    const title = `${untold.text} · Raise the Sum`;
    if (document.title === title) return;
    untold.plain = document.title;
    document.title = title;
  }

  function showIcon() {
    const icon = find('link[rel="icon"]');
    if (!icon?.dataset.turn) return;
    const calls = untold.text || "myTurn" in (find("#table")?.dataset ?? {});
    icon.dataset.plain ??= icon.getAttribute("href");
    icon.setAttribute("href", calls ? icon.dataset.turn : icon.dataset.plain);
  }

  // Who opens or changes something here sees what there is; what comes by itself is told.
  function lookForNews(isOwnDoing) {
    const table = find("#table");
    const room = find("#room[data-others]");
    const news = table ? newsOfTable(table) : room ? newsOfRoom(room) : [];
    if (news.length && !isOwnDoing) {
      const text = news.join(". ");
      if (document.hidden) untold.text = text;
      if (wishes.has("sound")) ring();
      if (wishes.has("notice")) notify(text);
    }
    showTitle();
    showIcon();
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden || !untold.text) return;
    if (untold.plain) document.title = untold.plain;
    untold.text = untold.plain = "";
    showIcon();
  });

  // An answer's own title is set after all else that it brings.
  document.addEventListener("htmx:finally:swap", showTitle);

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
    lookForNews(!document.hidden);
  }

  document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("part:came", (event) => {
    const { ctx, part } = event.detail;
    if (!["table", "room"].includes(part?.id)) return;
    if (part.id === "table") heardTime(ctx.askedAt, ctx.answeredAt);
    showWishes();
    lookForNews(ctx.request.method === "POST");
  });
})();
