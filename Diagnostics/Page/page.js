/**
 * The live page of `zonekit serve`. The same file is the script of the SharedWorker that holds the event stream of all tabs.
 *
 * Texts of records, devices and requests become text nodes and attribute values, never markup. State changes at once, and the
 * document in animation frames: a frame draws what changed and stops after its budget.
 */

const EVENTS = "/zonekit/events?page=1";
const SCRIPT = "/zonekit/page.js";
/** Milliseconds until the next attempt to reach the server, and until the next one after a refusal. */
const RETRY = 1000;
const RETRY_AFTER_REFUSAL = 5000;
/** The answered requests that a page keeps, and the rows of a list that it draws. */
const KEPT_REQUESTS = 1000;
const DRAWN_ROWS = 100;
/** Milliseconds of a frame that drawing may take. */
const BUDGET = 8;
/** The devices that a change in the list names. */
const NAMED_HOPS = 5;
/** The longest text of a value, in characters. */
const LONGEST = 500;

// --- The feed -----------------------------------------------------------------------------------------------------------

/** A view after a part of it changed. */
function merged(view, part) {
  const { devices, gone, ...others } = part;
  const result = { ...view, ...others };
  if (devices || gone) {
    const byName = new Map((view.devices ?? []).map((device) => [device.name, device]));
    for (const device of devices ?? []) byName.set(device.name, device);
    for (const name of gone ?? []) byName.delete(name);
    result.devices = [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }
  return result;
}

/** The event stream of the server, opened again whenever it ends. It tells messages, and has everything for who comes later. */
class Feed {
  view = null;
  requests = [];
  connection = { state: "connecting", since: Date.now(), reason: null };

  constructor(tell) {
    this.tell = tell;
    this.open();
  }

  everything() {
    return { connection: this.connection, view: this.view, requests: this.requests };
  }

  open() {
    const source = new EventSource(EVENTS);
    // A restarted server counts its requests anew.
    source.addEventListener("open", () => (this.requests = []));
    source.addEventListener("view", ({ data }) => this.begin(JSON.parse(data)));
    source.addEventListener("part", ({ data }) => {
      const part = JSON.parse(data);
      this.view = merged(this.view, part);
      this.tell({ part });
    });
    source.addEventListener("request", ({ data }) => {
      const request = JSON.parse(data);
      this.requests.push(request);
      if (this.requests.length > 2 * KEPT_REQUESTS) this.requests = this.requests.slice(-KEPT_REQUESTS);
      this.tell({ requests: [request] });
    });
    source.addEventListener("error", () => {
      source.close();
      this.lost();
    });
  }

  begin(view) {
    this.view = view;
    this.connection = { state: "live", since: Date.now(), reason: null };
    this.tell(this.everything());
  }

  /** An event stream does not say why it ended; another request does. */
  async lost() {
    const reason = await refusal();
    const state = reason === null ? "lost" : "refused";
    if (state !== this.connection.state || reason !== this.connection.reason) {
      this.connection = { state, since: Date.now(), reason };
      this.tell({ connection: this.connection });
    }
    setTimeout(() => this.open(), reason === null ? RETRY : RETRY_AFTER_REFUSAL);
  }
}

/** Why the server refuses the page; null if it does not, or does not answer. */
async function refusal() {
  try {
    const answer = await fetch("/zonekit/status");
    return answer.ok ? null : await explained(answer);
  } catch {
    return null;
  }
}

/** What an answer with an error says. */
async function explained(answer) {
  const text = await answer.text();
  try {
    return JSON.parse(text).reason ?? `HTTP ${answer.status}`;
  } catch {
    return `HTTP ${answer.status}`;
  }
}

function runWorker() {
  const ports = new Set();
  const feed = new Feed((message) => ports.forEach((port) => port.postMessage(message)));
  self.addEventListener("connect", ({ ports: [port] }) => {
    ports.add(port);
    // The only message of a tab says that it closes.
    port.onmessage = () => ports.delete(port);
    port.postMessage(feed.everything());
  });
}

/** Connects this tab with the feed: through the worker of all tabs, or with a stream of its own. */
function connect(hear) {
  const alone = () => {
    const feed = new Feed(hear);
    hear(feed.everything());
  };
  if (!("SharedWorker" in globalThis)) return alone();
  const policy = globalThis.trustedTypes?.createPolicy("zonekit", {
    createScriptURL(url) {
      if (url !== SCRIPT) throw new TypeError(`the script of the page is ${SCRIPT}, not ${url}`);
      return url;
    },
  });
  const worker = new SharedWorker(policy ? policy.createScriptURL(SCRIPT) : SCRIPT, { type: "module", name: "zonekit" });
  worker.addEventListener("error", alone, { once: true });
  worker.port.onmessage = ({ data }) => hear(data);
  addEventListener("pagehide", () => worker.port.postMessage("closes"));
  // A page that the browser kept has left the worker.
  addEventListener("pageshow", (event) => event.persisted && location.reload());
}

// --- Words --------------------------------------------------------------------------------------------------------------

/** A text that is shown as it is: characters that cannot be seen, or that turn the direction, are replaced; long texts cut. */
function shown(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${counted(text.length, "character")})` : text;
  return cut
    .replace(/[\x00-\x1f]/g, (one) => String.fromCharCode(0x2400 + one.charCodeAt(0)))
    .replace(/[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g, "\ufffd");
}

const number = (value) => value.toLocaleString("en-US");
const capitalized = (text) => text[0].toUpperCase() + text.slice(1);
const counted = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;

/** A duration in its largest unit: `12 ms`, `1.25 s`, `3 min`. */
function span(milliseconds) {
  const size = Math.abs(milliseconds);
  if (size < 1000) return `${Math.round(milliseconds)} ms`;
  if (size < 10_000) return `${(milliseconds / 1000).toFixed(2)} s`;
  if (size < 60_000) return `${Math.floor(milliseconds / 1000)} s`;
  if (size < 3_600_000) return `${Math.floor(milliseconds / 60_000)} min`;
  return size < 86_400_000 ? `${Math.floor(milliseconds / 3_600_000)} h` : `${Math.floor(milliseconds / 86_400_000)} d`;
}

function bytes(count) {
  if (count < 1000) return `${count} B`;
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}

const padded = (value, width = 2) => String(value).padStart(width, "0");

/** The local time of day; with the date if that is not today. */
function clock(at) {
  const date = new Date(at);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => padded(part)).join(":");
  const precise = `${time}.${padded(date.getMilliseconds(), 3)}`;
  if (date.toDateString() === new Date().toDateString()) return precise;
  return `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())} ${precise}`;
}

function ago(milliseconds) {
  const passed = Date.now() - milliseconds;
  if (passed <= -1000) return `in ${span(-passed)}`;
  return passed < 1000 ? "now" : `${passed < 10_000 ? `${Math.floor(passed / 1000)} s` : span(passed)} ago`;
}

/** A record name: the first group of a UUID stands for it. */
const short = (name) => shown(name).replace(/([0-9a-f]{8})(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, "$1");

/** The member `lastLedToChangeAt` in words: `last led to change`. */
const words = (member) => member.replace(/At$/, "").replace(/_/g, " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** A device of the app whose container a zone is in, which is named after it; null if there is none. */
function deviceOf(zone) {
  const devices = (state.view.devices ?? []).filter((device) => device.app && device.user === zone.user);
  const last = zone.container.split(".").pop();
  return devices.find((device) => device.app.toLowerCase() === last) ?? devices[0] ?? null;
}

const appOf = (zone) => zone.app ?? deviceOf(zone)?.app ?? zone.container.split(".").pop();
const protocolOf = (zone) =>
  deviceOf(zone)?.protocol ?? (zone.account || !zone.container.startsWith("iCloud.") ? "tables" : "CloudKit");

// --- Elements -----------------------------------------------------------------------------------------------------------

const byID = (id) => document.getElementById(id);

/** Gives an element attributes, listeners (`onclick`) and children; strings become text nodes. */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/** Sets a text, if it is another one. */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function toggle(element, attribute, value) {
  if (value === null) element.removeAttribute(attribute);
  else if (element.getAttribute(attribute) !== value) element.setAttribute(attribute, value);
}

/** A time of day that says its full time, and how long ago it was. */
function moment(iso, withAgo = true) {
  if (!iso) return "never";
  const at = Date.parse(iso);
  const time = h("time", { datetime: iso, title: iso }, clock(at));
  return withAgo ? h("span", { class: "moment" }, time, " ", h("span", { class: "ago", "data-at": at }, ago(at))) : time;
}

const value = (item) => (typeof item === "string" && ISO.test(item) ? moment(item) : item === null ? "none" : shown(item));

const kept = new WeakMap();

/** When drawing in the present frame is to end, by the clock of `performance`. */
let deadline = Infinity;

/**
 * Makes the children of an element those of items, in their order. The child of a key is made once, and updated when its item
 * is another object. Children that the present frame has no time for are left out; at least one is made. Returns whether all
 * are there.
 */
function list(parent, items, key, make) {
  const before = kept.get(parent) ?? new Map();
  const after = new Map();
  let made = 0;
  let isWhole = true;
  for (const item of items) {
    const name = key(item);
    let child = before.get(name);
    if (!child && made > 0 && performance.now() > deadline) {
      isWhole = false;
      continue;
    }
    if (!child) {
      made += 1;
      child = { ...make(item), item: null };
    }
    if (child.item !== item) {
      child.item = item;
      child.update?.(item);
    }
    after.set(name, child);
  }
  for (const [name, child] of before) if (after.get(name) !== child) child.element.remove();
  let next = parent.firstChild;
  for (const { element } of after.values()) {
    if (element === next) next = next.nextSibling;
    else parent.insertBefore(element, next);
  }
  kept.set(parent, after);
  return isWhole;
}

/** Names with values in a description list. A value is a string, or a node with the text that tells whether it is another. */
function facts(element, pairs) {
  list(element, pairs, ([name]) => name, ([name]) => {
    const definition = h("dd");
    return {
      element: h("div", {}, h("dt", {}, name), definition),
      update([, content, mark]) {
        toggle(definition, "class", mark ?? null);
        const same = typeof content === "string" ? content : content.textContent;
        if (definition.dataset.same === same) return;
        definition.dataset.same = same;
        definition.replaceChildren(content);
      },
    };
  });
}

/** Every member of a value below the others, as names with values. */
function* members(item, path = "") {
  if (item === null || typeof item !== "object") yield [path, value(item)];
  else if (Array.isArray(item) && !item.length) yield [path, "none"];
  else for (const [name, inner] of Object.entries(item)) yield* members(inner, path ? `${path} ${words(name)}` : words(name));
}

// --- State and drawing --------------------------------------------------------------------------------------------------

const state = { view: null, requests: [], connection: { state: "connecting" }, route: null };
const drawings = {};
/** The drawings that show a member of the view. */
const SHOWN_IN = {
  sentences: ["sentences"], faults: ["faults"], server: ["server"], zonekit: ["server"], devices: ["cards", "choices", "zones"],
  changes: ["strips", "opened"], cloud: ["zones", "lists", "rows", "choices"], snapshots: ["choices"],
};
const waiting = new Set();
let isAsked = false;

function redraw(...names) {
  for (const name of names) waiting.add(name);
  if (isAsked || !waiting.size) return;
  isAsked = true;
  requestAnimationFrame(draw);
}

function draw() {
  isAsked = false;
  deadline = performance.now() + BUDGET;
  for (const name of [...waiting]) {
    if (performance.now() > deadline) break;
    waiting.delete(name);
    // What is not whole yet goes on in the next frame, after the others.
    if (drawings[name]() === false) waiting.add(name);
  }
  deadline = Infinity;
  redraw();
}

function hear(message) {
  if (message.connection) {
    state.connection = message.connection;
    redraw("connection");
  }
  if (message.view) {
    Object.assign(state, { view: message.view, requests: [] });
    redraw(...Object.values(SHOWN_IN).flat(), "log");
  }
  if (message.part && state.view) {
    state.view = merged(state.view, message.part);
    if (message.part.gone) redraw(...SHOWN_IN.devices);
    for (const member of Object.keys(message.part)) redraw(...(SHOWN_IN[member] ?? []));
  }
  if (message.requests?.length) {
    state.requests.push(...message.requests);
    if (state.requests.length > 2 * KEPT_REQUESTS) state.requests = state.requests.slice(-KEPT_REQUESTS);
    redraw("log");
  }
}

/** The answer to a JSON route; an error names what the server refused, or that it does not answer. */
async function ask(path, query, body) {
  const options = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(`/zonekit/${path}${query ? `?${query}` : ""}`, options).catch(() => {
    throw new Error(`the server at ${location.host} does not answer`);
  });
  if (!answer.ok) throw new Error(await explained(answer));
  return answer.json();
}

// --- Devices ------------------------------------------------------------------------------------------------------------

drawings.connection = () => {
  const { state: word, since, reason } = state.connection;
  const at = clock(since ?? Date.now()).replace(/\.\d+$/, "");
  const texts = {
    connecting: "Connecting to the server",
    live: "Live",
    lost: `The server at ${location.host} does not answer since ${at}; this page tries again every second`,
    refused: `The server refuses this page: ${reason}`,
  };
  toggle(byID("connection"), "data-state", word);
  put(byID("connection"), texts[word]);
};

drawings.sentences = () => {
  const sentences = state.view.sentences ?? [];
  const isWhole = list(byID("sentences"), sentences.slice(0, DRAWN_ROWS), (sentence) => sentence, (sentence) => {
    // Devices that hold the same share a sentence.
    const standing = state.view.devices?.find((device) => device.standing?.sentence === sentence)?.standing;
    return { element: h("li", { "data-level": standing?.level ?? "same" }, shown(sentence)) };
  });
  const behind = (state.view.devices ?? []).filter((device) => device.standing?.level === "behind").length;
  document.title = behind ? `${counted(behind, "device")} behind · ZoneKit` : "ZoneKit";
  return isWhole;
};

drawings.faults = () => {
  const faults = state.view.faults ?? [];
  byID("faults").hidden = !faults.length;
  list(byID("faults"), faults, (fault) => fault, (fault) => ({ element: h("li", {}, "Fault plan: ", shown(fault)) }));
};

drawings.server = () => {
  const { server = {}, zonekit } = state.view;
  put(byID("version"), zonekit ?? "");
  facts(byID("server"), [
    ["HTTP", server.http ?? location.host], ["Push", server.push ?? "none"], ["Data", shown(server.data ?? "unknown")],
    ["Authorization", server.auth ?? "open"], ["Started", moment(server.startedAt)],
  ]);
};

// --- Stamps -------------------------------------------------------------------------------------------------------------

drawings.cards = () => list(byID("cards"), state.view.devices ?? [], (device) => device.name, card);

function card({ name }) {
  const standing = h("p", { class: "standing" });
  const about = h("p", { class: "quiet" });
  const stamps = h("dl", { class: "facts stamps" });
  const everything = h("dl", { class: "facts" });
  const more = h("details", {}, h("summary", {}, "Everything about ", h("bdi", {}, shown(name))), everything);
  let device = null;
  const drawMore = () => more.open && facts(everything, [...members(device)].slice(0, 200));
  more.addEventListener("toggle", drawMore);
  const act = h("a", { href: "#actions", onclick: () => choose("device", name) }, "Actions for ", h("bdi", {}, shown(name)));
  return {
    element: h("article", { class: "card", "aria-label": shown(name) },
      h("h3", {}, h("bdi", {}, shown(name))), standing, about, stamps, h("p", { class: "row" }, act), more),
    update(item) {
      device = item;
      const level = device.error ? "unknown" : device.standing?.level ?? "unknown";
      toggle(standing, "data-level", level);
      put(standing, shown(device.error ?? device.standing?.sentence ?? "unknown"));
      put(about, [device.app, device.user && short(device.email ?? device.user), device.running === false && "not running"]
        .filter(Boolean).map(shown).join(" · "));
      facts(stamps, device.error ? [] : stampsOf(device));
      drawMore();
    },
  };
}

function stampsOf(device) {
  const { push = {}, fetch: fetched = {}, send = {}, conflicts = {}, realtime, session, documents, standing } = device;
  const held = Array.isArray(send.quarantined) ? send.quarantined : [];
  const from = realtime ?? push;
  const noun = realtime ? "event" : "push";
  const reasons = [fetched.lastReason, fetched.lastResult].filter(Boolean).join(", ");
  const heldBack = held.map(({ record, reason }) => `${short(record)}, ${shown(reason)}`).join("; ");
  const storm = conflicts.storm ? `, storm: ${shown(conflicts.storm)}` : "";
  const pairs = [
    [`Last ${noun} sent`, moment(from.lastSentAt)],
    [`Last ${noun} received`, moment(from.lastReceivedAt)],
    [`Last ${noun} handled`, moment(from.lastHandledAt)],
    ["Led to change", moment(from.lastLedToChangeAt)],
    ["Received", received(from, noun)],
    ["Sync state", words(device.state ?? "unknown"), device.state === "backingOff" ? "warn" : null],
    ["Last fetch", sequence(moment(fetched.lastFinishedAt), reasons)],
    ["Pending", pending(send), send.pending ? "warn" : null],
    ["Quarantine", counted(held.length, "record") + (heldBack && `: ${heldBack}`), held.length ? "warn" : null],
    ["Conflicts", number(conflicts.total ?? 0) + storm],
    ["Next try", send.retryAfter ? moment(send.retryAfter) : "none"],
    ["Records", number(standing?.records ?? Object.values(device.counts ?? {}).reduce((sum, count) => sum + count, 0))],
  ];
  if (realtime) {
    pairs.push(["Channel", [realtime.state, realtime.channel, realtime.reason].filter(Boolean).map(short).join(", "),
      realtime.connected ? null : "warn"]);
  } else if (push.socket) {
    pairs.push(["Push socket", push.socket.connected ? "connected" : shown(`not connected, ${push.socket.reason}`),
      push.socket.connected ? null : "warn"]);
  }
  if (session) {
    pairs.push(["Session", shown(`${session.email ?? "signed out"}${session.goesOn ? "" : `, ended: ${session.reason}`}`),
      session.goesOn ? null : "warn"]);
  }
  if (documents) {
    pairs.push(["Version", shown(documents.lastVersion ?? "none")]);
    for (const feed of documents.feeds ?? []) {
      pairs.push([`Cursor of ${shown(feed.feed)}`, sequence(moment(feed.cursorAt), shown(feed.cursor ?? "none"))]);
    }
  }
  return pairs;
}

const sequence = (first, then) => h("span", {}, first, then ? `, ${shown(then)}` : "");

function received({ received: count, duplicates }, noun) {
  if (count === null || count === undefined) return "unknown";
  const plural = noun === "push" ? "pushes" : `${noun}s`;
  return `${number(count)} ${count === 1 ? noun : plural}${duplicates ? `, ${number(duplicates)} of them twice` : ""}`;
}

const pending = (send) =>
  send.pending ? h("span", {}, counted(send.pending, "record"), ", oldest of ", moment(send.oldestPendingAt)) : "0 records";

// --- Changes ------------------------------------------------------------------------------------------------------------

const STATIONS = ["notifiedAt", "receivedAt", "fetchedAt", "mergedAt"];
const at = (iso) => (iso ? Date.parse(iso) : null);

/** The address of a change, or of a record without one. */
const addressOf = ({ app, user, zone, record }, change) =>
  `#open?${new URLSearchParams({ app, user, zone, record, ...(change && { change }) })}`;

/** What a hop says in words. */
function told(change, hop) {
  const remark = hop.reason ? `; ${hop.reason}` : "";
  if (hop.mergedAt) return `there after ${span(at(hop.mergedAt) - at(change.committedAt))}${remark}`;
  if (hop.isThere) return `there${remark}`;
  return `missing${hop.reason ? `: ${hop.reason}` : ""}`;
}

drawings.strips = () => {
  const changes = (state.view.changes ?? []).slice(0, 20);
  byID("no-change").hidden = changes.length > 0;
  const items = changes.map((change) => ({ change, lanes: lanesOf(change) }));
  return list(byID("strips"), items, ({ change }) => change.id, strip);
};

/** The lanes of a change: its devices by name, with the cloud behind the first; of many devices those that miss it. */
function lanesOf(change) {
  const missing = change.hops.filter((hop) => !hop.isThere);
  const names = [change.device, ...[...missing, ...change.hops].map((hop) => hop.on)].filter(Boolean);
  const [first, ...others] = [...new Set(names)].slice(0, NAMED_HOPS).sort();
  return [first, "cloud", ...others].filter(Boolean);
}

/** A change in words, with its picture. Its link stays, so that it keeps the focus. */
function strip({ change: { id, type, record, device, zone, app, user, committedAt } }) {
  const title = `${shown(type)} ${short(record)}`;
  const who = device ? `by ${shown(device)}` : "by another client";
  const deleted = h("span");
  const hops = h("ul", { class: "hops" });
  const drawing = h("div");
  let drawn = null;
  return {
    element: h("li", { class: "strip" },
      h("div", { class: "about" },
        h("a", { href: addressOf({ app, user, zone, record }, id) }, title), deleted,
        h("p", { class: "quiet" }, moment(committedAt), ` ${who} in `, h("bdi", {}, shown(zone))), hops),
      drawing),
    update({ change, lanes }) {
      const same = JSON.stringify([change, lanes, picture.gap]);
      if (same === drawn) return;
      drawn = same;
      put(deleted, change.deleted ? " deleted" : "");
      // Those that miss the change come first.
      const sorted = [...change.hops].sort((one, other) => one.isThere - other.isThere);
      const named = sorted.slice(0, NAMED_HOPS);
      const more = sorted.length > named.length ? [`and ${counted(sorted.length - named.length, "more device")}`] : [];
      hops.replaceChildren(...named.map((hop) =>
        h("li", { "data-level": hop.isThere ? "same" : "behind" },
          h("bdi", {}, shown(hop.on)), `: ${shown(told(change, hop))}`)),
      ...more.map((words) => h("li", { class: "quiet" }, words)));
      const ways = [...named.map((hop) => `${hop.on} ${told(change, hop)}`), ...more].join("; ") || "no other device";
      drawing.replaceChildren(picture.of(change, lanes, shown(`${title} ${who}: ${ways}`)));
    },
  };
}

/** The sequence diagram of a change. Time runs down; the distance grows with its logarithm, as in `zonekit run --timeline`. */
const picture = {
  gap: 220,
  left: 32,

  advance: (milliseconds) => (milliseconds > 0 ? 2 + 1.5 * Math.ceil(Math.log2(milliseconds + 1)) : 0),

  of(change, lanes, label) {
    const x = (lane) => this.left + lanes.indexOf(lane) * this.gap;
    const cloud = x("cloud");
    const parts = [];
    let height = 26;
    let last = null;
    for (const step of this.steps(change, lanes, x, cloud)) {
      if (step.at !== null) {
        if (last !== null) height += this.advance(step.at - last);
        last = step.at;
      }
      height += step.before;
      parts.push(...step.draw(height));
      height += step.after ?? 0;
    }
    const width = 2 * this.left + (lanes.length - 1) * this.gap;
    height += 12;
    const rails = lanes.map((lane) => svg("g", {},
      svg("path", { class: "rail", d: `M${x(lane)} 18V${height}` }),
      svg("text", { x: x(lane), y: 12, class: "lane" }, shown(lane).slice(0, 16))));
    return svg("svg", { role: "img", "aria-label": label, width, height, viewBox: `0 0 ${width} ${height}` }, rails, parts);
  },

  /** What is drawn one below the other: each with its time, the room that it needs and how it looks there. */
  steps(change, lanes, x, cloud) {
    const steps = [];
    const author = lanes.includes(change.device) ? x(change.device) : null;
    const committed = at(change.committedAt);
    steps.push({
      at: committed, before: 16,
      draw: (y) => [
        ...(author === null ? [] : [
          this.mark("edit", author, y - 12), this.arrow("request", author, y - 12, cloud, y),
          this.text(author + (Math.sign(cloud - author) * this.gap) / 2, y - 12, "save"),
        ]),
        this.mark("commit", cloud, y),
      ],
    });
    for (const hop of change.hops) if (lanes.includes(hop.on)) steps.push(...this.hop(hop, committed, x(hop.on), cloud));
    return steps.sort((one, other) => (one.at ?? Infinity) - (other.at ?? Infinity));
  },

  hop(hop, committed, lane, cloud) {
    const side = Math.sign(lane - cloud);
    const near = lane - (side * this.gap) / 2;
    const beside = (y, words) => this.text(lane - side * 14, y + 4, words, side > 0 ? "before" : "after");
    const [notified, received, fetched, mergedAt] = STATIONS.map((station) => at(hop[station]));
    const steps = [];
    if (received !== null) {
      const waited = notified === null ? 0 : notified - committed;
      const flight = `push ${span(received - (notified ?? committed))}`;
      let from = null;
      steps.push({
        at: notified ?? received, before: 8,
        draw: (y) => {
          from = y;
          return waited > 0 ? [this.text(cloud - side * 8, y + 4, `+${span(waited)}`, side > 0 ? "before" : "after")] : [];
        },
      });
      steps.push({
        at: received, before: 8,
        draw: (y) => [this.arrow("push", cloud, from, lane, y), this.text(near, (from + y) / 2 - 6, flight)],
      });
    } else {
      const lines = this.wrapped(hop.reason ?? (notified === null ? "no push" : "push not received"));
      steps.push({
        at: notified ?? committed, before: 12, after: 13 * lines.length,
        draw: (y) => [
          this.arrow("push", cloud, y, lane - side * 24, y, true), this.mark("lost", lane - side * 18, y),
          ...lines.map((line, row) => this.text(near, y + 14 + 13 * row, line, "reason")),
        ],
      });
    }
    if (fetched !== null) {
      steps.push({
        at: fetched, before: 18,
        draw: (y) => [
          this.arrow("answer", cloud, y - 6, lane, y),
          this.text(near, y - 9, `fetch ${span(fetched - (received ?? committed))}`),
        ],
      });
    }
    if (mergedAt !== null) {
      steps.push({
        at: mergedAt, before: 14,
        draw: (y) => [this.mark("merge", lane, y), beside(y, `merge ${span(mergedAt - (fetched ?? committed))}`)],
      });
    } else if (!hop.isThere) {
      steps.push({
        at: null, before: 14,
        draw: (y) => [this.mark("absent", lane, y), beside(y, "not there")],
      });
    }
    return steps;
  },

  /** At most three lines of a text that fit between two lanes. */
  wrapped(text) {
    const most = Math.floor((this.gap - 24) / 6);
    const lines = [""];
    for (const word of shown(text).split(" ")) {
      const line = lines.at(-1);
      if (line && line.length + word.length >= most) lines.push(word);
      else lines[lines.length - 1] = line ? `${line} ${word}` : word;
    }
    return lines.length > 3 ? [...lines.slice(0, 2), `${lines[2]} …`] : lines;
  },

  text: (x, y, words, kind = "") => svg("text", { x, y, class: kind }, words),

  arrow(kind, fromX, fromY, toX, toY, isBroken = false) {
    const angle = (Math.atan2(toY - fromY, toX - fromX) * 180) / Math.PI;
    return svg("g", { class: kind },
      svg("path", { class: "line", d: `M${fromX} ${fromY}L${toX} ${toY}` }),
      isBroken ? null
        : svg("path", { class: "head", d: "M0 0L-10 -4V4Z", transform: `translate(${toX} ${toY}) rotate(${angle})` }));
  },

  mark(kind, x, y) {
    const shapes = {
      edit: "M-5 -5H5V5H-5Z", merge: "M0 -7L7 0L0 7L-7 0Z", absent: "M0 -7L7 0L0 7L-7 0Z", lost: "M-5 -5L5 5M5 -5L-5 5",
      commit: "M-5 0A5 5 0 0 1 5 0A5 5 0 0 1 -5 0Z",
    };
    return svg("path", { class: `mark ${kind}`, d: shapes[kind], transform: `translate(${x} ${y})` });
  },
};

function makeLegend() {
  const entry = (drawing, word) =>
    h("li", {}, svg("svg", { width: 36, height: 16, viewBox: "-18 -8 36 16", "aria-hidden": "true" }, drawing), word);
  byID("legend").append(
    ...[["request", "save"], ["push", "push"], ["answer", "fetch"]]
      .map(([kind, word]) => entry(picture.arrow(kind, -16, 0, 16, 0), word)),
    ...[["edit", "edit"], ["commit", "commit"], ["merge", "merge"], ["lost", "never arrives"], ["absent", "not there"]]
      .map(([kind, word]) => entry(picture.mark(kind, 0, 0), word)),
    h("li", { class: "quiet" }, "Newest change first; inside a change time runs down."));
  new ResizeObserver(([{ contentRect }]) => {
    const beside = contentRect.width > 800 ? 380 : 0;
    const lanes = Math.max(3, ...(state.view?.changes ?? []).map((change) => lanesOf(change).length));
    const gap = Math.round(Math.min(Math.max((contentRect.width - beside - 2 * picture.left - 26) / (lanes - 1), 100), 250));
    if (gap === picture.gap) return;
    picture.gap = gap;
    if (state.view) redraw("strips");
  }).observe(byID("changes"));
}

// --- A change or a record that is opened --------------------------------------------------------------------------------

/** What shows the content of an address, by the address's first word. */
const panels = {};

/** Asks again for what a panel shows, at most once a second, and draws the newest answer. */
function panel(id, load) {
  const element = byID(id);
  let asked = 0;
  let timer = null;
  const begin = async () => {
    timer = null;
    asked = performance.now();
    const route = state.route;
    const content = await load(route).catch((error) => [h("p", { class: "notice" }, shown(error.message))]);
    if (route !== state.route || !content) return;
    const focused = element.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    element.replaceChildren(...content);
    if (focused) element.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
  };
  return (isOpen, isNew) => {
    element.hidden = !isOpen;
    clearTimeout(timer);
    if (!isOpen) return;
    if (isNew) begin();
    else timer = setTimeout(begin, Math.max(0, asked + 1000 - performance.now()));
  };
}

const closing = (href, words) => h("a", { class: "close", href }, words);

const makeOpenedPanel = (drawn = {}) => panel("opened", async (route) => {
  const query = new URLSearchParams(route.query);
  const id = query.get("change");
  query.delete("change");
  const record = await ask("record", query);
  const changes = (state.view?.changes ?? []).filter((one) => one.record === record.record && one.zone === record.zone);
  const change = changes.find((one) => one.id === id);
  const others = changes.filter((one) => one !== change);
  const same = JSON.stringify([record, change, others.map((one) => one.id)]);
  if (drawn.route === route && drawn.same === same) return null;
  Object.assign(drawn, { route, same });
  return [
    h("div", { class: "title" },
      h("h3", { tabindex: "-1" }, `${shown(record.type ?? "Record")} `, h("bdi", {}, shown(record.record))),
      closing("#changes", "Close the change")),
    ...(change ? [hopTable(change)] : id ? [h("p", { class: "quiet" }, "The hops of this change are no longer kept.")] : []),
    sideBySide(record),
    ...(others.length ? [h("p", {}, "Other changes of this record: ", others.flatMap(otherChange))] : []),
  ];
});

const otherChange = (change, index) => [
  index ? ", " : "",
  h("a", { href: addressOf(change, change.id) },
    `${clock(at(change.committedAt))}${change.device ? ` by ${shown(change.device)}` : ""}`),
];

drawings.opened = () => panels.open(state.route?.name === "open", false);

function boxed(label, table) {
  return h("div", { class: "scroll", role: "group", "aria-label": label, tabindex: "0" }, table);
}

const heads = (names) => h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name))));

function hopTable(change) {
  const committed = at(change.committedAt);
  const rows = change.hops.map((hop) => {
    let before = committed;
    const cells = STATIONS.map((station) => {
      const time = at(hop[station]);
      if (time === null) return h("td", { class: "missing" }, "✕ missing");
      const passed = span(time - before);
      before = time;
      return h("td", {}, moment(hop[station], false), h("br"), h("span", { class: "quiet" }, `+${passed}`));
    });
    return h("tr", {}, h("th", { scope: "row" }, h("bdi", {}, shown(hop.on))), cells,
      h("td", {}, before === committed ? "" : span(before - committed)),
      h("td", { class: "state" }, shown(hop.reason ?? (hop.isThere ? "there" : "not there"))));
  });
  return boxed("Hops of the change", h("table", {},
    h("caption", {}, `Committed ${clock(committed)} ${change.device ? `by ${shown(change.device)}` : "by another client"}`),
    heads(["Device", "Push sent", "Push received", "Fetched", "Merged", "Whole way", "State"]),
    h("tbody", {}, rows.length ? rows : h("tr", {}, h("td", { colspan: 7 }, "No other device has this zone.")))));
}

function sideBySide(record) {
  const cloud = record.places.find((place) => place.place === "cloud");
  const names = record.fields ?? [];
  const cell = (place, name) => {
    const text = place.fields?.[name];
    const differs = place !== cloud && place.state !== "never" && text !== cloud?.fields?.[name];
    return h("td", { class: differs ? "differs" : "" },
      differs ? h("span", { class: "sign", title: "differs from the cloud" }, "≠ ") : "",
      text === undefined ? h("span", { class: "quiet" }, "—") : shown(text));
  };
  const standing = ({ state: word, isPending, reason }) =>
    `${word}${isPending ? ", not sent yet" : ""}${reason ? `: ${shown(reason)}` : ""}`;
  const row = (name, cells) => h("tr", {}, h("th", { scope: "row" }, name), cells);
  return boxed("The record in each place", h("table", { class: "places" },
    h("caption", {}, "The record in each place"),
    heads(["Field", ...record.places.map((place) => shown(place.place))]),
    h("tbody", {},
      row("state", record.places.map((place) => h("td", {}, standing(place)))),
      row("change tag", record.places.map((place) => h("td", {}, shown(place.tag ?? "none")))),
      names.slice(0, 2 * DRAWN_ROWS).map((name) => row(shown(name), record.places.map((place) => cell(place, name)))))));
}

// --- Data ---------------------------------------------------------------------------------------------------------------

const zoneKey = (zone) => JSON.stringify([appOf(zone), zone.user, zone.name]);
const rowsAddress = (zone, filter) =>
  `#rows?${new URLSearchParams({ app: appOf(zone), user: zone.user, zone: zone.name, ...(filter && { filter }) })}`;

drawings.zones = () => {
  // The protocol of a zone is that of its devices.
  const zones = (state.view.cloud?.zones ?? []).slice(0, DRAWN_ROWS).map((zone) => ({ ...zone, protocol: protocolOf(zone) }));
  return list(byID("zones"), zones, zoneKey, (zone) => {
    const cells = Array.from({ length: 6 }, (_, index) => h("td", { class: index > 1 && index < 5 ? "number" : "" }));
    return {
      element: h("tr", {}, h("th", { scope: "row" }, h("a", { href: rowsAddress(zone) }, shown(zone.name))), cells),
      update(item) {
        const counts = [item.records, item.tombstones, item.sequence].map((count) => number(count ?? 0));
        [item.protocol, short(item.account ?? item.user), ...counts].forEach((text, index) => put(cells[index], text));
        if (cells[5].dataset.same === item.lastCommitAt) return;
        cells[5].dataset.same = item.lastCommitAt;
        cells[5].replaceChildren(moment(item.lastCommitAt));
      },
    };
  });
};

/** The other members of the cloud: a list is a table, and all that is no list is a number with a name. */
drawings.lists = () => {
  const cloud = Object.entries(state.view.cloud ?? {}).filter(([name]) => name !== "zones");
  const lists = cloud.filter(([, item]) => Array.isArray(item));
  const counters = Object.fromEntries(cloud.filter(([, item]) => !Array.isArray(item)));
  list(byID("lists"), [...lists, ["counters", counters]], ([name]) => name, ([name]) => {
    const count = h("span", { class: "count" });
    const box = name === "counters" ? h("dl", { class: "facts" }) : h("div");
    const element = h("details", {}, h("summary", {}, `${capitalized(words(name))} `, count), box);
    let content = null;
    const fillBox = () => {
      if (!element.open) return;
      if (Array.isArray(content)) fillTable(box, name, content);
      else facts(box, [...members(content)]);
    };
    element.addEventListener("toggle", fillBox);
    return {
      element,
      update([, item]) {
        if (JSON.stringify(item) === JSON.stringify(content)) return;
        content = item;
        put(count, Array.isArray(item) ? number(item.length) : "");
        fillBox();
      },
    };
  });
};

/** Fills a box with a table of objects. The table stays while the columns do. */
function fillTable(box, name, items) {
  const rows = items.slice(0, DRAWN_ROWS).map((item) => (typeof item === "object" && item !== null ? item : { [name]: item }));
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (box.dataset.columns !== columns.join()) {
    box.dataset.columns = columns.join();
    const table = h("table", {}, heads(columns.map((column) => shown(words(column)))), h("tbody"));
    box.replaceChildren(columns.length ? boxed(words(name), table) : "", h("p", { class: "quiet" }));
  }
  const rest = items.length > rows.length ? `The first ${rows.length} of ${number(items.length)}.` : "";
  put(box.lastChild, items.length ? rest : "None.");
  if (!columns.length) return;
  list(box.querySelector("tbody"), rows, (row) => JSON.stringify(row), (row) => ({
    element: h("tr", {}, columns.map((column) => h("td", {}, column in row ? value(row[column]) : ""))),
  }));
}

/** The rows of a zone, page by page. The first record of each page before this one is kept for the way back. */
function makeRowsPanel() {
  const place = { query: null, before: [], records: [], route: null };
  const body = h("tbody");
  const count = h("p", { class: "quiet", role: "status" });
  const title = h("h3", { tabindex: "-1" });
  const filter = h("input", { type: "search", autocomplete: "off" });
  const back = h("button", { type: "button", onclick: () => turn(-1) }, "Previous page");
  const on = h("button", { type: "button", onclick: () => turn(1) }, "Next page");
  const pageOf = () => place.before.length;
  let next = null;

  function turn(step) {
    if (step > 0) place.before.push(next);
    else place.before.pop();
    panels.rows(true, true);
  }

  let typed = null;
  filter.addEventListener("input", () => {
    clearTimeout(typed);
    typed = setTimeout(() => {
      const query = new URLSearchParams(state.route.query);
      if (filter.value) query.set("filter", filter.value);
      else query.delete("filter");
      history.replaceState(null, "", `#rows?${query}`);
      follow(false);
    }, 200);
  });
  drawings.page = () => {
    const made = (row) => ({ element: rowOf(row, place.route.query) });
    return list(body, place.records, (row) => JSON.stringify(row), made);
  };
  byID("rows").append(
    h("div", { class: "title" }, title, closing("#data", "Close the rows")),
    h("div", { class: "filters" }, h("label", {}, "Filter by text ", filter), back, on, count),
    boxed("Rows", h("table", {}, heads(["Record", "Type", "Fields", "Changed", "By"]), body)));

  return panel("rows", async (route) => {
    const text = String(route.query);
    if (place.query !== text) Object.assign(place, { query: text, before: [] });
    const query = new URLSearchParams(route.query);
    const known = (state.view?.cloud?.zones ?? [])
      .find(({ user, name }) => user === query.get("user") && name === query.get("zone"));
    put(title, `${shown(query.get("zone"))} of ${short(known?.account ?? query.get("user"))}`);
    if (document.activeElement !== filter) filter.value = query.get("filter") ?? "";
    query.set("limit", DRAWN_ROWS);
    if (pageOf()) query.set("after", place.before.at(-1));
    try {
      const answer = await ask("records", query);
      next = answer.next;
      const from = pageOf() * DRAWN_ROWS;
      const range = `${number(from + 1)} to ${number(from + answer.records.length)} of ${counted(answer.total, "record")}`;
      put(count, answer.records.length ? range : "No record.");
      Object.assign(place, { records: answer.records, route });
      redraw("page");
    } catch (error) {
      put(count, shown(error.message));
      next = null;
    }
    back.disabled = !pageOf();
    on.disabled = !next;
    return null;
  });
}

function rowOf(row, query) {
  const place = { app: query.get("app"), user: query.get("user"), zone: query.get("zone"), record: row.record };
  return h("tr", {},
    h("th", { scope: "row" }, h("a", { href: addressOf(place) }, short(row.record))), h("td", {}, shown(row.type ?? "")),
    h("td", { class: "fields" }, Object.entries(row.fields ?? {}).slice(0, 40).map(([name, text]) =>
      h("span", { class: "field" }, h("span", { class: "quiet" }, `${shown(name)} `), h("bdi", {}, shown(text))))),
    h("td", {}, moment(row.changedAt)), h("td", {}, deviceName(row.device)));
}

/** The name of the device with an ID, as it is registered. */
function deviceName(id) {
  const registered = state.view?.cloud?.registrations?.find(({ device }) => device === id);
  return shown(registered?.name ?? (id === "unnamed" ? "another client" : id ?? ""));
}

drawings.rows = () => panels.rows(state.route?.name === "rows", false);

// --- Actions ------------------------------------------------------------------------------------------------------------

const choices = { device: null, seconds: "5", zone: null, account: null, snapshot: null };
const zoneChosen = () => (state.view?.cloud?.zones ?? []).find((zone) => zoneKey(zone) === choices.zone);
const fault = (sentence) => ({
  words: () => capitalized(sentence()), line: () => ["fault", "add", sentence()], needs: "device",
});
const typed = (word) => ({ line: () => ["tell", choices.device, word], needs: "device" });
const ofZone = (what) => ({
  line: () => ["fault", "add", `${what} ${JSON.stringify(zoneChosen().name)} of account ${JSON.stringify(zoneChosen().user)}`],
});

/** The buttons: their words, the line of the program that the server carries out, and the name that a destructive one asks for. */
const GROUPS = [
  { title: "Pushes", choices: ["device", "seconds"], actions: [
    fault(() => `drop the next push to ${choices.device}`),
    fault(() => `delay the next push to ${choices.device} by ${choices.seconds}s`),
    { ...fault(() => `duplicate the next push to ${choices.device}`),
      words: () => `Double the next push to ${choices.device}` },
    { words: () => "Clear the fault plan", line: () => ["fault", "clear"] },
  ] },
  { title: "Device", choices: ["device"], actions: [
    { words: () => `Cut the link of ${choices.device}`, ...typed("offline") },
    { words: () => `Restore the link of ${choices.device}`, ...typed("online") },
    { words: () => `Sync ${choices.device} now`, ...typed("sync") },
    { words: () => `Reset ${choices.device}`, needs: "device", asks: () => choices.device,
      text: () => `The records and change tokens of ${choices.device} are removed. It fetches them again; `
        + "unsent edits are lost.",
      line: () => ["reset", "local", choices.device, "--yes"] },
  ] },
  { title: "Zone", choices: ["zone"], actions: [
    { words: () => `Expire the tokens of ${zoneChosen().name}`, needs: "zone", ...ofZone("expire all tokens of zone") },
    { words: () => `Purge ${zoneChosen().name}`, needs: "zone", asks: () => zoneChosen().name, ...ofZone("purge zone"),
      text: () => `${counted(zoneChosen().records ?? 0, "record")} of ${zoneChosen().name} are removed from the cloud.` },
  ] },
  { title: "Session", choices: ["account"], actions: [
    { words: () => `Lose the session of ${choices.account}`, needs: "account", asks: () => choices.account,
      text: () => `All sessions of ${choices.account} end. Its devices have to sign in again.`,
      line: () => ["account", "revoke", choices.account] },
  ] },
  { title: "Snapshot", choices: ["snapshot"], actions: [
    { words: () => `Go back to ${choices.snapshot}`, needs: "snapshot", asks: () => choices.snapshot,
      text: () => `Cloud and devices become what they were in ${choices.snapshot}. Their present state moves to the backups.`,
      line: () => ["snapshot", "restore", choices.snapshot] },
  ] },
];

const OPTIONS = {
  device: () => (state.view.devices ?? []).map((device) => [device.name, device.name]),
  zone: () => (state.view.cloud?.zones ?? [])
    .map((zone) => [zoneKey(zone), `${zone.name} of ${short(zone.account ?? zone.user)}`]),
  account: () => [...new Set((state.view.cloud?.zones ?? []).filter((zone) => protocolOf(zone) === "tables")
    .map((zone) => zone.account ?? zone.user))].map((name) => [name, name]),
  snapshot: () => (state.view.snapshots ?? []).map(({ name }) => [name, name]),
};

const quoted = (word) => (/^[\w./:@%+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

function commandLine(words) {
  const data = state.view.server?.data;
  const place = data && data !== ".zonekit" ? ["--data", data] : [];
  return ["zonekit", ...words, ...place].map((word) => quoted(shown(word))).join(" ");
}

const curlLine = (words) =>
  `curl http://${location.host}/zonekit/actions -H 'Content-Type: application/json' -d ${quoted(JSON.stringify({ words }))}`;

const pickers = [];
const buttons = [];

function choose(name, chosen) {
  choices[name] = chosen;
  redraw("choices");
}

function picker(name) {
  const chosen = ({ target }) => choose(name, target.value);
  if (name === "seconds") {
    return h("label", {}, "Seconds ",
      h("input", { type: "number", min: 1, max: 3600, value: choices.seconds, oninput: chosen }));
  }
  const element = h("select", { onchange: chosen });
  pickers.push({ name, element });
  return h("label", {}, `${capitalized(name)} `, element);
}

function actionRow(action) {
  const button = h("button", { type: "button", class: action.asks ? "grave" : "", onclick: () => begin(action, button) });
  const curl = h("code");
  const line = h("code");
  buttons.push({ action, button, curl, line });
  return h("li", {}, button, h("p", { class: "lines" }, line, curl));
}

function makeActions() {
  byID("groups").append(...GROUPS.map((group) => h("section", { class: "card", "aria-label": group.title },
    h("h3", {}, group.title), h("div", { class: "filters" }, group.choices.map(picker)),
    h("ul", {}, group.actions.map(actionRow)))));
}

drawings.choices = () => {
  let isWhole = true;
  for (const { name, element } of pickers) {
    const options = OPTIONS[name]();
    if (!options.some(([key]) => key === choices[name])) choices[name] = options[0]?.[0] ?? null;
    isWhole = list(element, options, ([key]) => key, ([key, text]) => ({
      element: h("option", { value: key }, shown(text)),
    })) && isWhole;
    element.disabled = !options.length;
    if (element.value !== choices[name]) element.value = choices[name];
  }
  for (const { action, button, curl, line } of buttons) {
    const isPossible = !action.needs || choices[action.needs] !== null;
    button.disabled = !isPossible;
    put(button, isPossible ? shown(action.words()) : `There is no ${action.needs}`);
    put(line, isPossible ? commandLine(action.line()) : "");
    put(curl, isPossible ? curlLine(action.line()) : "");
  }
  return isWhole;
};

async function begin(action, button) {
  const words = action.words();
  const line = action.line();
  if (action.asks && !(await confirmed(words, action.text(), action.asks()))) return;
  button.disabled = true;
  const said = byID("said");
  try {
    const answer = await ask("actions", null, { words: line });
    toggle(said, "data-level", "same");
    put(said, `${shown(words)}: ${shown(answer.said ?? "done")}`);
  } catch (error) {
    toggle(said, "data-level", "stuck");
    put(said, `${shown(words)}: ${shown(error.message)}`);
  }
  redraw("choices");
}

/** Whether the user typed the name of what is destroyed. */
function confirmed(words, text, name) {
  const dialog = byID("confirm");
  const typed = byID("confirm-typed");
  const yes = byID("confirm-yes");
  put(byID("confirm-title"), shown(words));
  put(byID("confirm-text"), shown(text));
  put(byID("confirm-name"), shown(name));
  put(yes, shown(words));
  typed.value = "";
  yes.disabled = true;
  typed.oninput = () => (yes.disabled = typed.value !== name);
  byID("confirm-no").onclick = () => dialog.close("no");
  dialog.returnValue = "no";
  dialog.querySelector("form").onsubmit = (event) => {
    event.preventDefault();
    dialog.close(typed.value === name ? "yes" : "no");
  };
  dialog.showModal();
  return new Promise((decide) => (dialog.onclose = () => decide(dialog.returnValue === "yes")));
}

// --- Requests -----------------------------------------------------------------------------------------------------------

const known = { "of-device": new Set(), "of-protocol": new Set() };

drawings.log = () => {
  const [device, protocol] = [byID("of-device").value, byID("of-protocol").value];
  const rows = [];
  let count = 0;
  for (let index = state.requests.length - 1; index >= 0; index -= 1) {
    const request = state.requests[index];
    if ((device && request.device !== device) || (protocol && request.protocol !== protocol)) continue;
    count += 1;
    if (rows.length < DRAWN_ROWS) rows.push(request);
  }
  offer("of-device", "device");
  offer("of-protocol", "protocol");
  put(byID("shown"), `${count > rows.length ? `the last ${rows.length} of ` : ""}${counted(count, "request")}`);
  const made = (request) => ({ element: requestRow(request) });
  return list(byID("log"), rows, ({ number: count, at: time }) => `${count} ${time}`, made);
};

/** Offers what requests have in a member as a filter. */
function offer(id, member) {
  for (const request of state.requests) {
    const name = request[member];
    if (!name || known[id].has(name)) continue;
    known[id].add(name);
    byID(id).append(h("option", { value: name }, shown(name)));
  }
}

function requestRow(request) {
  const { status, fault: disturbance } = request;
  const level = status === null || status >= 400 ? "stuck" : "same";
  const outcome = status === null ? "connection closed" : `${status}${status >= 400 ? " refused" : ""}`;
  return h("tr", {},
    h("td", {}, moment(request.at, false)),
    h("td", {}, request.device ? shown(request.device) : h("span", { class: "quiet" }, "none")),
    h("td", {}, shown(request.protocol)), h("td", { class: "path" }, `${shown(request.method)} ${shown(request.path)}`),
    h("td", { "data-level": level }, outcome), h("td", { class: "number" }, span(request.milliseconds)),
    h("td", { class: "number" }, request.bytes === null ? "" : bytes(request.bytes)),
    h("td", { class: disturbance ? "warn" : "" }, disturbance ? shown(disturbance) : ""));
}

// --- The address --------------------------------------------------------------------------------------------------------

/** Shows what the address names: `#open?…` a record, `#rows?…` the rows of a zone, `#changes` and `#data` neither. */
function follow(movesFocus) {
  const [name, query = ""] = location.hash.slice(1).split(/\?(.*)/s);
  const wasOpen = state.route?.name;
  if (name === "open" || name === "rows") state.route = { name, query: new URLSearchParams(query) };
  else if ((name === "changes" && wasOpen === "open") || (name === "data" && wasOpen === "rows")) state.route = null;
  else return;
  for (const [word, show] of Object.entries(panels)) show(state.route?.name === word, true);
  if (!state.route || !movesFocus) return;
  const element = byID(name === "open" ? "opened" : "rows");
  element.scrollIntoView({ block: "start" });
  element.focus({ preventScroll: true });
}

function runPage() {
  makeLegend();
  makeActions();
  Object.assign(panels, { open: makeOpenedPanel(), rows: makeRowsPanel() });
  for (const id of ["of-device", "of-protocol"]) byID(id).addEventListener("change", () => redraw("log"));
  addEventListener("hashchange", () => follow(true));
  setInterval(() => {
    if (document.hidden) return;
    requestAnimationFrame(() => {
      for (const element of document.querySelectorAll(".ago")) put(element, ago(Number(element.dataset.at)));
    });
  }, 1000);
  connect(hear);
  follow(true);
}

if ("document" in globalThis) runPage();
else runWorker();
