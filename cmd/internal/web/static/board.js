"use strict";
// The board: setting up by click and key, playing, going back and forward. Rules and
// words come from the server: each answer lists the moves, what they sow and capture,
// and the position after them.
(() => {
  const $ = (id) => document.getElementById(id);
  const board = $("board");
  const result = $("result");
  const say = board.dataset;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // A position is its text, such as 0-2-1-1-1-1-3-3-3-1-0-0-28-28-S, and its parts.
  const parse = (text) => {
    const fields = text.split("-");
    const side = fields.pop();
    const beans = fields.map(Number);
    return { stores: beans.splice(-2), pits: beans, north: side === "N" };
  };
  const print = (p) => [...p.pits, ...p.stores, p.north ? "N" : "S"].join("-");
  const fill = (text, ...values) => text.replace(/%[ds]/g, () => values.shift());
  const sideName = (north) => (north ? say.sayNorth : say.saySouth);

  let position = parse(board.dataset.position);
  let rules = $("rules").value;
  let played = [{ text: print(position), rules }]; // positions of the history
  let at = 0; // the one that is shown
  let asked = 0; // number of the newest question
  let moving = null; // what stops the animation that is running

  const width = () => position.pits.length / 2;
  const pitButton = (number) => board.querySelector(`[data-pit="${number}"]`);
  const storeButton = (side) => board.querySelector(`[data-store="${side}"]`);
  const rows = () => [...result.querySelectorAll("tr[data-next]")];
  const rowOf = (number) => rows().find((row) => Number(row.dataset.pit) === number);
  const editing = () => board.classList.contains("edit");

  // Drawing.

  function drawPit(number, beans) {
    const pit = pitButton(number);
    pit.querySelector("use").setAttribute("href", `#p${Math.min(beans, 24)}`);
    pit.querySelector(".count").textContent = beans;
    pit.querySelector(".label").textContent = fill(say.sayPit, number, sideName(number > width()), beans);
  }

  function drawStore(side, beans) {
    const store = storeButton(side);
    store.querySelectorAll("ellipse").forEach((bean, i) => bean.classList.toggle("off", i >= beans));
    store.querySelector(".count").textContent = beans;
    store.querySelector(".label").textContent = fill(say.sayStore, sideName(side === 1), beans);
  }

  function draw() {
    position.pits.forEach((beans, i) => drawPit(i + 1, beans));
    position.stores.forEach((beans, side) => drawStore(side, beans));
    for (const name of board.querySelectorAll(".name")) {
      name.classList.toggle("turn", (name.dataset.side === "North") === position.north);
    }
    for (const link of document.querySelectorAll("a[data-side]")) {
      const north = link.dataset.side === "North";
      link.href = address({ text: print({ ...position, north }), rules });
      if (north === position.north) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    const text = print(position);
    $("position").value = text;
    $("picture").href = `/picture.svg${address({ text, rules }).slice(1)}`;
    $("rules").value = rules;
    choose(chosen);
    drawHistory();
  }

  function drawHistory() {
    $("start").disabled = $("back").disabled = at === 0;
    $("forward").disabled = at === played.length - 1;
  }

  // drawMarks writes the worth of each move to its pit.
  function drawMarks() {
    for (const mark of board.querySelectorAll(".mark")) {
      mark.className = "mark";
      mark.textContent = "";
    }
    if (result.querySelector("details:not([open])")) return; // a puzzle keeps its secret
    for (const row of rows()) {
      const pit = pitButton(row.dataset.pit);
      if (!pit || !row.dataset.outcome) continue;
      const mark = pit.querySelector(".mark");
      mark.classList.add(row.dataset.outcome);
      if ("best" in row.dataset) mark.classList.add("best");
      mark.textContent = row.dataset.lead;
    }
  }

  // Asking.

  function address(entry) {
    const query = new URLSearchParams({ position: entry.text });
    if (entry.rules !== "bohnenspiel") query.set("rules", entry.rules);
    return `/?${query}`;
  }

  async function ask() {
    const number = ++asked;
    result.classList.add("busy");
    const answer = `${address({ text: print(position), rules })}&part=1`;
    if (!await part(result, say.sayFailed, answer, {}, () => number === asked)) return; // a newer question is on its way
    result.classList.remove("busy");
    drawMarks();
  }

  // go shows an entry of the history. How says what becomes of the address.
  function go(index, how) {
    stop();
    at = index;
    const entry = played[at];
    position = parse(entry.text);
    rules = entry.rules;
    if (how) history[how](entry, "", address(entry));
    draw();
    return ask();
  }

  function add(text, how) {
    played = [...played.slice(0, at + 1), { text, rules }];
    return go(played.length - 1, how);
  }

  // edit changes what is on the board. It never changes the side to move.
  function edit(change) {
    running = false;
    stop();
    const next = { ...position, pits: [...position.pits], stores: [...position.stores] };
    change(next);
    const text = print(next);
    if (text !== print(position)) add(text, "replaceState");
    else draw();
  }

  function setBeans(button, beans) {
    beans = Math.max(0, Math.min(beans, 12 * width()));
    edit((next) => {
      if (button.dataset.pit) next.pits[button.dataset.pit - 1] = beans;
      else next.stores[button.dataset.store] = beans;
    });
  }

  const beansOf = (button) => (button.dataset.pit ? position.pits[button.dataset.pit - 1] : position.stores[button.dataset.store]);

  // Showing a move.

  function preview(row) {
    clearPreview();
    if (!row || moving) return;
    const pits = (text) => (text ? text.split(" ").map(Number) : []);
    pitButton(row.dataset.pit)?.classList.add("lifted");
    const more = new Map();
    for (const number of pits(row.dataset.sown)) more.set(number, (more.get(number) || 0) + 1);
    for (const [number, beans] of more) {
      pitButton(number).classList.add("sown");
      pitButton(number).dataset.add = `+${beans}`;
    }
    const lifted = Number(row.dataset.pit);
    for (const number of pits(row.dataset.captured)) {
      const here = number === lifted ? 0 : position.pits[number - 1];
      pitButton(number).classList.add("taken");
      pitButton(number).dataset.add = `−${here + (more.get(number) || 0)}`;
    }
  }

  // rest shows the move that has the focus, if the pointer shows none.
  function rest() {
    if (moving) return;
    const row = document.activeElement.closest("tr[data-next]");
    if (row) preview(row);
    else clearPreview();
  }

  function clearPreview() {
    for (const pit of board.querySelectorAll(".pit")) {
      pit.classList.remove("lifted", "sown", "taken");
      delete pit.dataset.add;
    }
  }

  // stop ends an animation at once, and leaves the board as it is drawn.
  function stop() {
    if (moving) moving();
    moving = null;
    board.classList.remove("moving");
    clearPreview();
  }

  const pause = (ms) => new Promise((done) => {
    const timer = setTimeout(() => done(true), ms);
    moving = () => { clearTimeout(timer); done(false); };
  });

  // animate sows and captures bean by bean. It returns whether it came to its end.
  async function animate(row) {
    stop();
    board.classList.add("moving");
    const pits = [...position.pits];
    const stores = [...position.stores];
    const list = (text) => (text ? text.split(" ").map(Number) : []);
    const sown = list(row.dataset.sown);
    const lifted = Number(row.dataset.pit);
    const beat = Math.max(45, Math.min(200, 1800 / (sown.length + 1)));
    if (lifted) {
      pits[lifted - 1] = 0;
      drawPit(lifted, 0);
      pitButton(lifted).classList.add("lifted");
    }
    for (const number of sown) {
      if (!await pause(beat)) return false;
      board.querySelector(".sown")?.classList.remove("sown");
      drawPit(number, ++pits[number - 1]);
      pitButton(number).classList.add("sown");
    }
    for (const number of list(row.dataset.captured)) {
      if (!await pause(1.6 * beat)) return false;
      pitButton(number).classList.add("taken");
      if (!await pause(1.6 * beat)) return false;
      const side = position.north ? 1 : 0;
      drawStore(side, stores[side] += pits[number - 1]);
      drawPit(number, pits[number - 1] = 0);
    }
    if (!await pause(2 * beat)) return false;
    stop();
    return true;
  }

  // play makes a move. It returns whether the move came to its end.
  async function play(row) {
    if (!row || moving) return false;
    const next = row.dataset.next;
    if (!calm.matches && !await animate(row)) return false;
    await add(next, "pushState");
    return true;
  }

  let running = false; // whether a line is being played

  // playLine plays best play to its end, or until something else is done.
  async function playLine() {
    running = true;
    for (;;) {
      const button = $("playline");
      const next = result.querySelector(".line li");
      if (!button || !next || !running) break;
      button.textContent = button.dataset.stop;
      if (!await play(next)) break;
      if (calm.matches) await new Promise((done) => setTimeout(done, 400));
    }
    running = false;
  }

  // The chosen pit: one of them can be reached by Tab, the others by arrow keys.

  let chosen = pitButton(1);

  function choose(button) {
    chosen = button;
    for (const other of board.querySelectorAll("button")) other.tabIndex = other === button ? 0 : -1;
    const { pit, store } = button.dataset;
    $("chosen").querySelector("b").textContent = pit ? fill(say.sayChosenPit, pit) : fill(say.sayChosenStore, sideName(store === "1"));
    $("fewer").disabled = beansOf(button) === 0;
  }

  // neighbour returns the button that lies in a direction of the one given.
  function neighbour(button, key) {
    const w = width();
    const across = [storeButton(1), ...Array.from({ length: w }, (_, i) => null), storeButton(0)];
    const north = (column) => pitButton(2 * w + 1 - column);
    const south = (column) => pitButton(column);
    const pit = Number(button.dataset.pit || 0);
    const inNorth = pit > w;
    const column = pit ? (inNorth ? 2 * w + 1 - pit : pit) : (button.dataset.store === "1" ? 0 : w + 1);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (!step) return pit ? (key === "ArrowUp" ? north(column) : south(column)) : button;
    const next = column + step;
    if (next < 0 || next > w + 1) return button;
    return across[next] || (inNorth ? north(next) : south(next));
  }

  board.addEventListener("focusin", (event) => {
    if (event.target.closest("button")) choose(event.target.closest("button"));
  });

  let typed = { button: null, beans: 0, time: 0 }; // digits so far, for numbers of two

  board.addEventListener("keydown", (event) => {
    const button = event.target.closest("button");
    if (!button || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key.startsWith("Arrow")) {
      neighbour(button, key).focus();
    } else if (/^[0-9]$/.test(key)) {
      const goesOn = typed.button === button && event.timeStamp - typed.time < 900;
      const beans = (goesOn ? 10 * typed.beans : 0) + Number(key);
      typed = { button, beans, time: event.timeStamp };
      setBeans(button, beans);
    } else if (key === "+" || key === "-" || key === "−") {
      setBeans(button, beansOf(button) + (key === "+" ? 1 : -1));
    } else if (key === "Delete" || key === "Backspace") {
      setBeans(button, 0);
    } else if (key === "Enter") {
      play(rowOf(Number(button.dataset.pit)));
    } else {
      return;
    }
    event.preventDefault();
  });

  board.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    choose(button);
    if (editing()) setBeans(button, beansOf(button) + (event.shiftKey ? -1 : 1));
    else if (button.dataset.pit) play(rowOf(Number(button.dataset.pit)));
  });

  board.addEventListener("contextmenu", (event) => {
    const button = event.target.closest("button");
    if (!button || !editing()) return;
    event.preventDefault();
    choose(button);
    setBeans(button, beansOf(button) - 1);
  });

  for (const kind of ["pointerover", "focusin"]) {
    board.addEventListener(kind, (event) => {
      const button = event.target.closest("[data-pit]");
      if (button && !editing()) preview(rowOf(Number(button.dataset.pit)));
    });
    result.addEventListener(kind, (event) => {
      const row = event.target.closest("tr[data-next]");
      if (row) preview(row);
      else rest();
    });
  }
  for (const area of [board, result]) {
    area.addEventListener("pointerleave", rest);
    area.addEventListener("focusout", () => moving || clearPreview());
  }

  // The controls.

  $("fewer").addEventListener("click", () => setBeans(chosen, beansOf(chosen) - 1));
  $("more").addEventListener("click", () => setBeans(chosen, beansOf(chosen) + 1));
  $("clear").addEventListener("click", () => edit((next) => { next.pits.fill(0); next.stores.fill(0); }));
  $("start").addEventListener("click", () => go(0, "replaceState"));
  $("back").addEventListener("click", () => at > 0 && go(at - 1, "replaceState"));
  $("forward").addEventListener("click", () => at < played.length - 1 && go(at + 1, "replaceState"));

  $("mode").addEventListener("click", (event) => {
    const button = event.target.closest("[data-mode]");
    if (!button) return;
    for (const other of $("mode").querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === button));
    board.classList.toggle("edit", button.dataset.mode === "edit");
    clearPreview();
  });

  for (const link of document.querySelectorAll("a[data-side]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const north = link.dataset.side === "North";
      if (north !== position.north) add(print({ ...position, north }), "replaceState");
    });
  }

  $("rules").addEventListener("change", () => {
    rules = $("rules").value;
    add(print(position), "replaceState");
  });

  $("copylink").addEventListener("click", () => copy($("copylink"), new URL(address({ text: print(position), rules }), location.href).href));

  // copy puts a text on the clipboard, and says so on its button for a moment.
  async function copy(button, text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch (error) {
      return; // the browser does not let us
    }
    const label = button.textContent;
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 1500);
  }

  result.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button && button.id === "copyline") copy(button, button.dataset.text);
    if (button && button.id === "playline") {
      if (running) { running = false; go(at); } else { playLine(); }
    }
    const link = event.target.closest("a");
    const line = link && link.closest(".line li");
    if (line && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      running = false;
      add(line.dataset.next, "pushState");
      return;
    }
    const row = link && link.closest("tr[data-next]");
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    play(row);
  });
  result.addEventListener("toggle", drawMarks, true);

  // Whatever else is done ends a line that is being played.
  for (const kind of ["pointerdown", "keydown", "popstate"]) {
    addEventListener(kind, (event) => {
      if (!event.target.closest?.("#playline")) running = false;
    }, true);
  }

  // The browser's own back and forward.
  addEventListener("popstate", (event) => {
    const entry = event.state;
    if (!entry) return;
    const known = played.findIndex((other) => other.text === entry.text && other.rules === entry.rules);
    if (known < 0) played = [...played, entry];
    go(known < 0 ? played.length - 1 : known);
  });

  // The address is the position in its first form, unless it is none or a puzzle's.
  const plain = new URLSearchParams(location.search);
  history.replaceState(played[0], "", plain.has("position") && !plain.has("puzzle") && result.querySelector("[data-position]:not([data-position=''])") ? address(played[0]) : undefined);
  draw();
  drawMarks();
})();
