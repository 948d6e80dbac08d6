// The script of the tag: a button in the corner of a shop's page, the frame
// with the chat, and the function Parley that the page calls. It does not
// disturb the page: its elements are in a shadow root, its styles are in a
// sheet that no Content-Security-Policy refuses, and it sets nothing but
// window.Parley.
import type { Hello, IdentityState, Look, ToFrame, ToTag, Theme, Welcome } from "../protocol";
import { css } from "./style";
import { texts } from "./texts";

type Call = [verb: string, ...rest: unknown[]];
interface Parley {
  (...call: Call): void;
  /** The calls from before this script was loaded, then the mark of the loaded tag. */
  q?: ArrayLike<unknown>[];
  running?: boolean;
}
type Listener = (value: number | boolean | IdentityState) => void;

const script = document.currentScript as HTMLScriptElement | null;
const page = window as unknown as { Parley?: Parley };

function start(inbox: string, server: string, theme: Theme) {
  const listeners: Record<string, Listener[]> = { unread: [], open: [], identity: [] };
  const calls: ToFrame[] = [];
  const key = `parley:${inbox}:open`;
  let port: MessagePort | undefined;
  let identity: string | null = null;
  // On a phone it would cover every page that is opened.
  let open = kept(key) && innerWidth > 520;
  let look: Pick<Look, "title" | "open" | "close" | "language"> = { title: texts.chat, open: texts.chat, close: texts.chat, language: "" };
  let unread = 0;
  let unreadText = "";
  let language = script?.dataset["language"] ?? "";
  let facts: Record<string, unknown> = {};

  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  if (theme !== "auto") host.style.colorScheme = theme;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  const button = document.createElement("button");
  button.type = "button";
  button.hidden = true;
  button.append(drawing("open", "M12 3.5c-5 0-9 3.3-9 7.5 0 2.2 1.1 4.2 2.9 5.6L5 20.5l4.4-1.9c.8.2 1.7.3 2.6.3 5 0 9-3.4 9-7.6s-4-7.8-9-7.8Z"), drawing("close", "m5.5 9 6.5 6.5L18.5 9"));
  const badge = document.createElement("span");
  badge.className = "badge";
  badge.hidden = true;
  button.append(badge);
  const panel = document.createElement("div");
  panel.className = "panel";
  panel.setAttribute("role", "dialog");
  const frame = document.createElement("iframe");
  frame.referrerPolicy = "strict-origin";
  frame.src = `${server}/widget/frame?inbox=${encodeURIComponent(inbox)}`;
  panel.append(frame);
  root.append(panel, button);

  const told = (name: string, value: Parameters<Listener>[0]) => {
    for (const listener of listeners[name] ?? []) listener(value);
  };
  const languages = () => [language, document.documentElement.lang];
  const send = (message: ToFrame) => (port ? port.postMessage(message) : calls.push(message));
  // Before the welcome, which is followed by it.
  const visit = () => port?.postMessage({ type: "visit", page: location.href, title: document.title, referrer: document.referrer, facts } satisfies ToFrame);
  const label = () => {
    host.lang = look.language;
    button.setAttribute("aria-label", open ? look.close : unread > 0 ? `${look.open}, ${unreadText}` : look.open);
    button.setAttribute("aria-expanded", String(open));
    panel.setAttribute("aria-label", look.title);
    frame.title = look.title;
    badge.hidden = unread === 0 || open;
    badge.textContent = unread > 9 ? "9+" : String(unread);
  };
  const setOpen = (to: boolean, focus: boolean) => {
    const changed = open !== to;
    open = to;
    keep(key, open);
    host.toggleAttribute("data-open", open);
    label();
    if (open && focus) frame.focus();
    send({ type: "open", open, focus });
    if (changed) told("open", open);
  };
  const heard = (message: ToTag) => {
    switch (message.type) {
      case "look":
        look = message;
        host.dataset["position"] = message.position;
        host.style.setProperty("--color", message.color);
        host.style.setProperty("--ink", message.ink);
        button.hidden = !message.shown;
        panel.hidden = !message.shown;
        return label();
      case "unread":
        unread = message.count;
        unreadText = message.text;
        label();
        return told("unread", unread);
      case "close":
        setOpen(false, false);
        return button.focus();
      case "identity":
        return told("identity", message.state);
      case "problem":
        return console.error(`Parley: ${message.text}`);
    }
  };
  window.addEventListener("message", (event: MessageEvent<Partial<Hello> | null>) => {
    if (event.source !== frame.contentWindow || event.origin !== server || event.data?.parley !== "hello") return;
    const channel = new MessageChannel();
    port?.close();
    port = channel.port1;
    port.onmessage = ({ data }: MessageEvent<ToTag>) => heard(data);
    frame.contentWindow?.postMessage({ parley: "welcome", theme, open, identity, languages: languages() } satisfies Welcome, server, [channel.port2]);
    for (const call of calls.splice(0)) port.postMessage(call);
    visit();
  });
  frame.addEventListener("load", () => {
    setTimeout(() => {
      if (!port)
        console.error(
          `Parley: the chat may not be shown on ${location.origin}. Add it to the websites of the inbox (Settings, Inboxes, Widget), or leave that list empty. Or there is no web inbox ${inbox}: see data-inbox of the tag.`,
        );
    }, 3000);
  });
  // Pages of one document; older browsers tell of the way back only.
  const moves = (window as unknown as { navigation?: EventTarget }).navigation;
  (moves ?? window).addEventListener(moves ? "navigatesuccess" : "popstate", visit);
  button.addEventListener("click", () => setOpen(!open, true));
  for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => port?.postMessage({ type: "near" } satisfies ToFrame));
  root.addEventListener("keydown", (event) => {
    if ((event as KeyboardEvent).key === "Escape" && open) setOpen(false, false);
  });

  const verbs: Record<string, (...rest: unknown[]) => void> = {
    open: () => setOpen(true, true),
    close: () => setOpen(false, false),
    toggle: () => setOpen(!open, true),
    identify(who) {
      const token = (who as { token?: unknown } | undefined)?.token;
      if (typeof token !== "string") return console.error('Parley: "identify" needs {token: "…"}, the identity that your server signed.');
      identity = token;
      // Before the welcome, which includes it.
      port?.postMessage({ type: "identify", token } satisfies ToFrame);
    },
    logout() {
      identity = null;
      facts = {};
      setOpen(false, false);
      send({ type: "logout" });
    },
    language(to) {
      language = typeof to === "string" ? to : "";
      // Before the welcome, which includes it.
      port?.postMessage({ type: "language", languages: languages() } satisfies ToFrame);
    },
    set(more) {
      facts = { ...facts, ...(JSON.parse(JSON.stringify(more ?? {})) as object) };
      visit();
    },
    on(name, listener) {
      const list = listeners[String(name)];
      if (!list || typeof listener !== "function") return console.error(`Parley: "on" knows ${Object.keys(listeners).join(", ")}, and needs a function.`);
      list.push(listener as Listener);
      if (name === "unread") (listener as Listener)(unread);
    },
  };
  const parley: Parley = (verb, ...rest) => {
    const act = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (!act) return console.error(`Parley: there is no "${verb}"; there are ${Object.keys(verbs).join(", ")}.`);
    act(...rest);
  };
  parley.running = true;
  const early = page.Parley?.q ?? [];
  page.Parley = parley;
  document.body.append(host);
  host.toggleAttribute("data-open", open);
  label();
  for (const call of Array.from(early)) parley(...(Array.from(call) as Call));
}

function drawing(name: string, path: string): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", name);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(svg.namespaceURI, "path");
  line.setAttribute("d", path);
  svg.append(line);
  return svg;
}

// A page may forbid its storage; then the chat starts closed on each page.
function kept(key: string): boolean {
  try {
    return sessionStorage.getItem(key) === "1";
  } catch {
    return false;
  }
}
function keep(key: string, open: boolean) {
  try {
    sessionStorage.setItem(key, open ? "1" : "0");
  } catch {
    return;
  }
}

const inbox = script?.dataset["inbox"];
if (page.Parley?.running) console.error("Parley: the tag is in this page twice.");
else if (!script || !inbox) console.error("Parley: the tag needs data-inbox, and to be a script element of its own.");
else {
  const theme = script.dataset["theme"];
  const begin = () => start(inbox, new URL(script.src).origin, theme === "light" || theme === "dark" ? theme : "auto");
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- there is none yet for a script in the head
  if (document.body) begin();
  else document.addEventListener("DOMContentLoaded", begin);
}
