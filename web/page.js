"use strict";
// The page's side: the clock, the mouse and the figures. What is simulated and drawn is in the module.

const $ = (id) => document.getElementById(id);
const STEPS = 100; // after which hashes are compared with those of the native build
const BUDGET = 40; // ms of steps between two pictures, at most
const PIXELS = 1.1e6; // in a picture, at most

let engine; // what the module exports
let scenes; // [run, title, about]
let scene = 0;
let paused = false;
let owed = 0; // seconds to be simulated
let touched = false; // somebody pulled: the bits are not those of the scene alone
let mean = { step: 0, draw: 0, pace: 1 };
let last = 0;

function text() {
  const bytes = new Uint8Array(engine.memory.buffer, engine.text_address(), engine.text_length());
  return new TextDecoder().decode(bytes);
}

function figures() {
  engine.figures();
  return Object.fromEntries(text().split("\n").map((line) => line.split("\t")));
}

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const module = await new Response(stream).arrayBuffer();
  const { instance } = await WebAssembly.instantiate(module, {});
  return instance.exports;
}

function open(index) {
  scene = index;
  touched = false;
  owed = 0;
  mean = { step: 0, draw: 0, pace: 1 };
  $("notice").textContent = engine.open(index) ? "" : text();
  const chips = $("scenes");
  [...chips.children].forEach((button, i) => button.toggleAttribute("aria-current", i === index));
  chips.scrollLeft = chips.children[index].offsetLeft - 0.4 * chips.clientWidth;
  $("about").textContent = scenes[index][2];
  $("hundred").textContent = "";
  $("command").textContent = `taut run ${scenes[index][0]} --frames ${STEPS}`;
  show();
}

const smooth = (before, now) => (before ? 0.9 * before + 0.1 * now : now);

function step() {
  const started = performance.now();
  engine.step();
  mean.step = smooth(mean.step, performance.now() - started);
  if (!$("hundred").textContent) {
    const now = figures();
    if (Number(now.frame) === STEPS && !touched) $("hundred").textContent = `after ${STEPS} steps ${now.hash}`;
  }
}

function draw() {
  const canvas = $("picture");
  const box = canvas.getBoundingClientRect();
  const fine = Math.min(window.devicePixelRatio || 1, Math.sqrt(PIXELS / (box.width * box.height || 1)));
  const [width, height] = [box.width, box.height].map((side) => Math.max(1, Math.round(side * fine)));
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  const started = performance.now();
  const address = engine.draw(width, height);
  const pixels = new Uint8ClampedArray(engine.memory.buffer, address, 4 * width * height);
  canvas.getContext("2d").putImageData(new ImageData(pixels, width, height), 0, 0);
  mean.draw = smooth(mean.draw, performance.now() - started);
}

const short = (n) => (n < 1e6 ? `${(n / 1e3).toFixed(0)} thousand` : `${(n / 1e6).toFixed(1)} million`);

function show() {
  const now = figures();
  $("step").textContent = `${mean.step.toFixed(2)} ms`;
  $("draw").textContent = `${mean.draw.toFixed(1)} ms`;
  $("rate").textContent = mean.step ? short((1e3 * now.projections) / mean.step) : "";
  $("time").textContent = `${Number(now.time).toFixed(2)} s`;
  $("now").textContent = `step ${now.frame} ${now.hash}`;
  const slow = mean.pace < 0.95 ? `${mean.pace.toFixed(2)} × real time` : "real time";
  $("pace").textContent = paused ? "paused" : slow;
}

// A frame of the browser: as many steps as its clock asks for, and a picture.
function tick(now) {
  const passed = Math.min((now - last) / 1e3, 0.1);
  last = now;
  try {
    if (!paused) {
      const dt = Number(figures().dt);
      owed += passed;
      const started = performance.now();
      let done = 0;
      while (owed >= dt && performance.now() - started < BUDGET) {
        step();
        owed -= dt;
        done += dt;
      }
      const lacks = owed >= dt;
      mean.pace = lacks ? smooth(mean.pace, done / passed) : Math.min(1, mean.pace + 0.02);
      if (lacks) owed = 0;
    }
    draw();
    show();
  } catch (error) {
    $("notice").textContent = `${error.message}: ${text()}`;
    return;
  }
  requestAnimationFrame(tick);
}

// Keys and buttons.

function press(key) {
  if (key === " ") {
    paused = !paused;
    document.querySelector("[data-key=' ']").textContent = paused ? "Go on" : "Pause";
  } else if (key === "s") {
    if (!paused) press(" ");
    step();
  } else if (key === "r") open(scene);
  else if ("fc".includes(key)) engine.press(key.toUpperCase().charCodeAt(0));
  else if ("1234567890".includes(key)) open((Number(key) + 9) % 10);
  else return false;
  return true;
}

function listen() {
  document.querySelectorAll("[data-key]").forEach((button) => (button.onclick = () => press(button.dataset.key)));
  addEventListener("keydown", (event) => {
    const plain = !(event.ctrlKey || event.altKey || event.metaKey);
    const taken = event.key === " " && event.target.tagName === "BUTTON";
    if (plain && !taken && event.key.length === 1 && press(event.key.toLowerCase())) event.preventDefault();
  });
  const canvas = $("picture");
  const fingers = new Map();
  let apart = 0;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return [((event.clientX - box.left) * canvas.width) / box.width, ((event.clientY - box.top) * canvas.height) / box.height];
  };
  const middle = () => [0, 1].map((k) => [...fingers.values()].reduce((sum, p) => sum + p[k], 0) / fingers.size);
  const distance = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  const moved = (event) => {
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, at(event));
    if (fingers.size === 2) {
      engine.point(...middle(), 0, 1, 0);
      for (; distance() > 1.1 * apart; apart *= 1.1) engine.point(...middle(), 0, 1, 1);
      for (; distance() < apart / 1.1; apart /= 1.1) engine.point(...middle(), 0, 1, -1);
    } else {
      const pressed = fingers.size === 1 ? event.buttons : 0;
      touched ||= Boolean(pressed & 1);
      engine.point(...at(event), pressed & 1, pressed >> 1 & 1, 0);
    }
  };
  canvas.onpointerdown = (event) => {
    canvas.setPointerCapture(event.pointerId);
    engine.point(...at(event), 0, 0, 0);
    fingers.set(event.pointerId, at(event));
    if (fingers.size === 2) {
      apart = distance();
      engine.point(...middle(), 0, 0, 0);
    }
    moved(event);
  };
  canvas.onpointermove = moved;
  canvas.onpointerup = canvas.onpointercancel = (event) => {
    fingers.delete(event.pointerId);
    engine.point(...at(event), 0, 0, 0);
  };
  canvas.oncontextmenu = (event) => event.preventDefault();
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    engine.point(...at(event), 0, 0, -event.deltaY);
  }, { passive: false });
}

// The hash of every scene after so many steps, a line each: what web/test compares with the native build.
function check() {
  scenes.forEach(([run], index) => {
    if (!engine.open(index)) throw new Error(text());
    for (let i = 0; i < STEPS; i++) engine.step();
    $("check").textContent += `${run} ${figures().hash}\n`;
  });
}

async function begin() {
  engine = await unpack(MODULE);
  engine.scenes();
  scenes = text().split("\n").map((line) => line.split("\t"));
  if (location.hash === "#check") return check();
  scenes.forEach(([, title], index) => {
    const button = document.createElement("button");
    button.innerHTML = `${title} <span>${(index + 1) % 10}</span>`;
    button.onclick = () => open(index);
    $("scenes").append(button);
  });
  listen();
  open(Math.max(0, scenes.findIndex(([, title]) => `#${title.toLowerCase()}` === location.hash)));
  requestAnimationFrame((now) => {
    last = now;
    tick(now);
  });
}

begin().catch((error) => ($("notice").textContent = `This browser cannot run the engine (${error.message}).`));
