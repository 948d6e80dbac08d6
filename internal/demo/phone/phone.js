// The page of the demo's phones. The server sends the whole state whenever it
// changes; what a phone shows (its list, or one chat) is stored here. All content
// is inserted as text only.

/** Makes an element. Properties of `props` are set as they are; `on` adds listeners. */
function h(tag, { on = {}, aria = {}, ...props } = {}, ...children) {
  const element = Object.assign(document.createElement(tag), props);
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener);
  for (const [name, value] of Object.entries(aria)) element.setAttribute(`aria-${name}`, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

const note = document.getElementById("note");
let noteTimer;
function say(text, fault = false) {
  clearTimeout(noteTimer);
  note.textContent = text;
  note.className = fault ? "fault" : "";
  noteTimer = setTimeout(() => (note.textContent = ""), 6000);
}

/** Asks the server to do something; what it refuses is told. Answers whether it was done. */
async function act(path, body) {
  const picture = body instanceof Blob;
  const init = { method: "POST", headers: { "Content-Type": picture ? body.type || "application/octet-stream" : "application/json" }, body: picture ? body : JSON.stringify(body) };
  try {
    const answer = await fetch(`/phone/${path}`, init);
    if (answer.ok) return true;
    const told = await answer.json().catch(() => ({}));
    say(told.error ?? `The server answered ${answer.status}.`, true);
  } catch {
    say("The server cannot be reached.", true);
  }
  return false;
}

/** A form of one line; `send` answers whether the line was taken. */
function line({ className, label, placeholder, action, main = false, extra = [], send }) {
  const input = h("input", { placeholder, autocomplete: "off", maxLength: 2000, aria: { label } });
  const form = h("form", { className }, ...extra, input, h("button", { type: "submit", className: main ? "main" : "" }, action));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = input.value;
    if (text.trim() === "") return;
    input.value = "";
    if (!(await send(text)) && input.value === "") input.value = text;
  });
  return form;
}

/** A paper clip. */
function clip() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [name, value] of Object.entries({ viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" })) svg.setAttribute(name, value);
  path.setAttribute("d", "m21 11-9 9a6 6 0 0 1-8.500-8.500l9-9a4 4 0 0 1 5.700 5.700l-9 9a2 2 0 0 1-2.900-2.900l8.400-8.300");
  svg.append(path);
  return svg;
}

const clock = (at, exact = false) => new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", ...(exact && { second: "2-digit" }) });
const marks = { sent: "✓", delivered: "✓✓", read: "✓✓" };

/** A phone on the page. */
class Phone {
  constructor({ number, name, company }) {
    this.number = number;
    this.open = null; // the id of the chat that is shown
    this.drawn = "";
    this.chats = h("ul", { className: "chats", aria: { label: `Chats of ${name}` } });
    this.list = h("div", { className: "body" });
    if (company) this.list.append((this.scanner = new Scanner()).root);
    this.list.append(
      this.chats,
      line({ className: "tools", label: "Invite link", placeholder: "Invite link of a group", action: "Join", send: (link) => act("join", { phone: number, link }) }),
    );
    if (!company) {
      this.adds = h("select", { on: { change: () => act("person", { phone: number, refuse: this.adds.value === "nobody" }) } }, h("option", { value: "everyone" }, "everyone"), h("option", { value: "nobody" }, "nobody"));
      this.away = h("input", { type: "checkbox", on: { change: () => act("person", { phone: number, offline: this.away.checked }) } });
      this.list.append(
        h("div", { className: "settings" }, h("label", {}, "Added to groups by ", this.adds), h("label", {}, this.away, " Phone is off")),
        h("div", { className: "foot" }, h("button", { className: "main", on: { click: () => this.show(companyNumber) } }, "Write to the company")),
      );
    }
    this.title = h("h3");
    this.members = h("p", { className: "soft" });
    this.leave = h("button", { className: "plain", on: { click: () => act("leave", { phone: number, chat: this.open }) } }, "Leave");
    this.messages = h("ol", { className: "messages", tabIndex: 0, aria: { label: "Messages", live: "polite" }, on: { click: () => this.read() } });
    this.newsText = h("span");
    this.news = h("div", { className: "news", hidden: true }, this.newsText, h("button", { on: { click: () => this.read() } }, "Mark as read"));
    this.composer = line({ className: "foot", label: "Message", placeholder: "Message", action: "Send", main: true, extra: [this.picture()], send: (text) => this.send(text) });
    this.chat = h(
      "div",
      { className: "body", hidden: true },
      h("div", { className: "head" }, h("button", { className: "plain", aria: { label: "Back to the chats" }, on: { click: () => this.show(null) } }, "←"), h("div", {}, this.title, this.members), this.leave),
      this.messages,
      this.news,
      this.composer,
    );
    this.root = h("section", { className: "phone", aria: { label: company ? `The company's phone, ${name}` : `The phone of ${name}` } }, h("div", { className: "owner" }, h("h2", {}, name), h("p", {}, `+${number}${company ? " · the company's own phone" : ""}`)), this.list, this.chat);
  }

  /** A button that sends a picture from a file. */
  picture() {
    const input = h("input", { type: "file", accept: "image/png,image/jpeg,image/gif,image/webp", className: "hidden" });
    input.addEventListener("change", () => {
      const [file] = input.files;
      input.value = "";
      if (!file) return;
      if (file.size > 2 << 20) return say("A picture may have 2 MB.", true);
      void act(`pictures?${new URLSearchParams({ phone: this.number, chat: this.open })}`, file);
    });
    return h("label", { className: "file" }, clip(), h("span", { className: "hidden" }, "Send a picture"), input);
  }

  send(text) {
    void this.read();
    return act("messages", { phone: this.number, chat: this.open, text });
  }

  read() {
    if (this.unread > 0) return act("read", { phone: this.number, chat: this.open });
  }

  /** Opens a chat, which reads it, or with null the list. */
  show(id) {
    this.open = id;
    this.drawn = "";
    this.draw(this.known);
    this.chat.hidden = id === null;
    this.list.hidden = id !== null;
    if (id === null) return;
    void this.read();
    this.toEnd();
    this.composer.querySelector("input:not([type=file])").focus();
  }

  toEnd() {
    this.messages.scrollTop = this.messages.scrollHeight;
  }

  draw(state) {
    this.known = state;
    const text = JSON.stringify(state);
    if (text === this.drawn) return;
    this.drawn = text;
    if (this.adds) {
      this.adds.value = state.refuses ? "nobody" : "everyone";
      this.away.checked = state.offline;
    }
    const focused = this.chats.contains(document.activeElement) ? document.activeElement.dataset.chat : undefined;
    this.chats.replaceChildren(...state.chats.map((chat) => this.row(chat)));
    if (state.chats.length === 0) this.chats.append(h("li", { className: "empty" }, "No chats yet."));
    if (focused !== undefined) [...this.chats.querySelectorAll("button")].find((button) => button.dataset.chat === focused)?.focus();
    if (this.open === null) return;
    const chat = state.chats.find(({ id }) => id === this.open) ?? { id: this.open, name: nameOf(this.open), members: [], member: true, unread: 0, messages: [] };
    this.unread = chat.unread;
    this.title.textContent = chat.name;
    this.members.textContent = chat.group ? (chat.member ? chat.members.join(", ") : "No member any more") : `+${chat.id}`;
    this.leave.hidden = !(chat.group && chat.member);
    this.composer.hidden = !chat.member;
    this.news.hidden = chat.unread === 0;
    this.newsText.textContent = chat.unread === 1 ? "1 new message" : `${chat.unread} new messages`;
    const atEnd = this.messages.scrollHeight - this.messages.scrollTop - this.messages.clientHeight < 60;
    this.messages.replaceChildren(...chat.messages.map((message) => bubble(message, chat.group, this.number)));
    if (!atEnd) return;
    this.toEnd();
    // A picture has its height once it is loaded.
    for (const picture of this.messages.querySelectorAll("img")) picture.addEventListener("load", () => this.toEnd());
  }

  row(chat) {
    const last = chat.messages.at(-1);
    const said = last ? `${last.mine ? "You: " : ""}${last.text || "Picture"}` : chat.group ? `${chat.members.length} members` : "";
    const button = h(
      "button",
      { on: { click: () => this.show(chat.id) } },
      h("b", {}, chat.member ? chat.name : `${chat.name} (left)`),
      chat.unread > 0 ? h("span", { className: "count", aria: { label: `${chat.unread} unread` } }, String(chat.unread)) : h("span"),
      h("span", { className: "last" }, said),
    );
    button.dataset.chat = chat.id;
    return h("li", {}, button);
  }
}

function bubble(message, group, number) {
  const at = h("span", { className: "at" }, clock(message.at));
  if (message.mine) at.append(" ", h("span", { className: message.status, role: "img", title: message.status, aria: { label: message.status } }, marks[message.status] ?? ""));
  return h(
    "li",
    { className: message.mine ? "mine" : "" },
    group && !message.mine ? h("span", { className: "from" }, message.from) : null,
    media(message.media),
    message.text,
    message.invite ? h("button", { className: "card", on: { click: () => act("accept", { phone: number, message: message.id }) } }, "Join the group") : null,
    at,
  );
}

function media(file) {
  if (!file) return null;
  if (file.address === "") return h("span", { className: "soft" }, "A file that could not be fetched");
  if (file.picture) return h("img", { src: file.address, alt: file.name || "Picture" });
  return h("a", { href: file.address, download: file.name || "file" }, file.name || "File");
}

/** What links the company's phone with the dashboard. */
class Scanner {
  constructor() {
    this.numbers = h("select", { aria: { label: "Number" }, on: { change: () => this.draw() } });
    this.text = h("p", { className: "soft" });
    this.scan = h("button", { className: "main", on: { click: () => this.pair("") } }, "Scan");
    this.typed = line({ className: "tools", label: "Code", placeholder: "ABCD-1234, or the QR code's text", action: "Enter", send: (code) => this.pair(code) });
    this.root = h("div", {}, h("div", { className: "tools" }, this.text, this.numbers, this.scan), this.typed);
    this.known = [];
  }

  async pair(code) {
    this.busy = true;
    this.draw();
    const done = await act("scan", { numberId: this.numbers.value, code });
    this.busy = false;
    this.draw();
    if (done) say("Paired. The dashboard shows it.");
    return done;
  }

  update(numbers) {
    const text = JSON.stringify(numbers);
    if (text === this.drawn) return;
    this.drawn = text;
    // The number with the latest code is paired, unless another waiting one was chosen.
    const waiting = numbers.filter(({ pairing }) => pairing !== "");
    const chosen = this.numbers.value;
    this.known = numbers;
    this.numbers.replaceChildren(...numbers.map(({ id, phone, status }) => h("option", { value: id }, `${phone} · ${status.replace("_", " ")}`)));
    const kept = numbers.some(({ id }) => id === chosen) && (waiting.length === 0 || waiting.some(({ id }) => id === chosen));
    const next = kept ? chosen : (waiting.at(-1)?.id ?? numbers[0]?.id);
    if (next) this.numbers.value = next;
    this.draw();
  }

  draw() {
    const number = this.known.find(({ id }) => id === this.numbers.value);
    this.scan.disabled = this.busy || !number?.pairing;
    const shows = { qr_code: "The dashboard shows a QR code.", phone_code: "The dashboard shows a code to type." };
    this.text.textContent = shows[number?.pairing] ?? "Link a device: pair a number in the dashboard under Settings, Numbers.";
  }
}

const faultKinds = { groups: "creating a group", members: "adding members", messages: "sending a message" };

/** What the network does to one number. */
class NetworkPanel {
  constructor(number) {
    const order = (body) => act("network", { numberId: number.id, ...body });
    const button = (text, body) => h("button", { on: { click: () => order(body()) } }, text);
    const choice = (label, options) => h("select", { aria: { label } }, ...options.map(([value, text]) => h("option", { value }, text)));
    const minutes = choice("How long", [["30", "30 seconds"], ["60", "1 minute"], ["600", "10 minutes"], ["3600", "1 hour"]]);
    const seconds = () => Number(minutes.value);
    const what = choice("Requests", Object.entries(faultKinds));
    const times = choice("How many", [["1", "once"], ["3", "3 times"], ["20", "20 times"]]);
    const code = choice("Code", [["429", "429, too many"], ["406", "406, not acceptable"], ["463", "463, a stranger"]]);
    const fault = (does) => () => ({ do: does, what: what.value, times: Number(times.value), ...(does === "refuse" && { code: Number(code.value) }) });
    this.id = number.id;
    this.status = h("span", { className: "soft" });
    this.line = button("", () => ({ do: this.known.offline ? "online" : "offline" }));
    this.version = button("", () => ({ do: this.known.outdated ? "current" : "outdated" }));
    this.unban = button("End the ban", () => ({ do: "unban" }));
    this.free = button("End the restriction", () => ({ do: "unrestrict" }));
    this.faults = h("ul", { className: "faults" });
    const row = (title, ...parts) => h("div", { className: "row" }, h("h4", {}, title), ...parts);
    this.root = h(
      "section",
      { className: "network-panel", aria: { label: `The network and ${number.phone}` } },
      h("h3", {}, number.phone, " ", this.status),
      row("Connection", button("Cut it once", () => ({ do: "drop" })), this.line, button("Log out linked devices", () => ({ do: "logout" })), this.version),
      row("For a while", minutes, button("Ban (103)", () => ({ do: "ban", code: 103, seconds: seconds() })), button("Restrict", () => ({ do: "restrict", seconds: seconds() })), this.unban, this.free),
      row("The next time", what, times, button("Lose the answer", fault("lose")), code, button("Refuse", fault("refuse")), this.faults),
    );
  }

  draw(number) {
    const text = JSON.stringify(number);
    if (text === this.drawn) return;
    this.drawn = text;
    this.known = number;
    const limits = [
      number.bannedUntil && `banned until ${clock(number.bannedUntil, true)}`,
      number.restrictedUntil && `restricted until ${clock(number.restrictedUntil, true)}`,
      number.offline && "cut off",
      number.outdated && "client refused as too old",
    ].filter(Boolean);
    const status = number.bannedUntil && number.status === "banned" ? [] : [number.status.replace("_", " ")];
    this.status.textContent = [...status, ...limits].join(" · ");
    this.line.textContent = number.offline ? "Let it connect" : "Keep it cut off";
    this.version.textContent = number.outdated ? "Accept the client again" : "Refuse the client as too old";
    this.unban.hidden = !number.bannedUntil;
    this.free.hidden = !number.restrictedUntil;
    this.faults.replaceChildren(
      ...number.faults.map(({ do: does, what, times, code }) =>
        h("li", {}, `${faultKinds[what]}: ${does === "refuse" ? `refused with ${code}` : "answer lost"}, ${times} ${times === 1 ? "time" : "times"} more`, h("button", { className: "plain", aria: { label: `Stop: ${faultKinds[what]}` }, on: { click: () => act("network", { numberId: this.id, do: does, what, times: 0 }) } }, "✕")),
      ),
    );
  }
}

const network = document.getElementById("network");
const networkPanels = new Map();

function drawNetwork(numbers) {
  network.hidden = numbers.length === 0;
  for (const number of numbers) {
    let panel = networkPanels.get(number.id);
    if (!panel) {
      networkPanels.set(number.id, (panel = new NetworkPanel(number)));
      document.getElementById("numbers").append(panel.root);
    }
    panel.draw(number);
  }
}

const main = document.getElementById("phones");
const phones = new Map();
let companyNumber = "";
const names = new Map();
const nameOf = (number) => names.get(number) ?? `+${number}`;

function draw(state) {
  for (const { number, name, company } of state.phones) {
    names.set(number, name);
    if (company) companyNumber = number;
  }
  if (companyNumber === "") companyNumber = state.numbers[0]?.phone.slice(1) ?? "";
  if (state.phones.length > 0 && main.ariaBusy === "true") {
    main.ariaBusy = "false";
    main.replaceChildren();
  }
  for (const one of state.phones) {
    let phone = phones.get(one.number);
    if (!phone) {
      phones.set(one.number, (phone = new Phone(one)));
      main.append(phone.root);
    }
    phone.draw(one);
    phone.scanner?.update(state.numbers);
  }
  drawNetwork(state.numbers);
}

async function follow() {
  for (let version = "", failures = 0; ; ) {
    try {
      const answer = await fetch(`/phone/state?after=${version}`);
      if (!answer.ok) throw new Error(String(answer.status));
      const state = await answer.json();
      version = state.version;
      failures = 0;
      draw(state);
    } catch {
      failures++;
      if (failures === 3) say("The server cannot be reached; trying again.", true);
      await new Promise((done) => setTimeout(done, Math.min(8000, 500 * 2 ** failures)));
    }
  }
}
void follow();
