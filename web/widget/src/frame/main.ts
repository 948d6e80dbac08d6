// The page in the frame: /widget/frame?inbox=<id>. Opened on its own it is a
// full-page chat, and the fragment may have the session of a link in a mail, which
// opens one conversation; with &preview it is filled by the settings of the inbox. The
// server writes the inbox whose websites it checked into the page, so that the
// address is not read a second time.
//
// This script has what a closed chat needs: session, stream, unread messages,
// the look of the button. The views are another one, loaded when they are seen.
import { backoff, pause } from "../../../shared/retry";
import type { Theme } from "../protocol";
import { pauses } from "./api";
import { Chat } from "./chat";
import { findHost } from "./host";
import { unreadOf } from "./state";
import type { Config } from "./types";

const query = new URLSearchParams(location.search);
const root = document.getElementById("root") as HTMLElement;
const chat = new Chat(root.dataset["inbox"] ?? "");

function setTheme(theme: Theme) {
  if (theme !== "auto") document.documentElement.dataset["theme"] = theme;
}

if (query.has("preview")) {
  document.documentElement.inert = true;
  window.addEventListener("message", (event: MessageEvent<{ parley?: unknown; config?: Config; theme?: Theme; language?: string } | null>) => {
    if (event.origin !== location.origin || event.data?.parley !== "preview" || !event.data.config) return;
    setTheme(event.data.theme ?? "auto");
    void chat.preview(event.data.config, event.data.language ?? "");
  });
  window.parent.postMessage({ parley: "hello" }, location.origin);
} else if (window.parent === window) {
  document.documentElement.dataset["alone"] = "";
  const token = location.hash.slice(1);
  const conversation = query.get("conversation") ?? "";
  // Neither the history nor a screenshot needs the token.
  if (token !== "") history.replaceState(null, "", location.pathname + location.search);
  const returned = conversation === "" ? undefined : { token, conversation };
  void chat.start({ send: () => undefined }, { open: true, identity: null, languages: [query.get("language") ?? ""] }, "", returned);
} else {
  const host = findHost(
    (welcome, page) => {
      setTheme(welcome.theme);
      void chat.start(host, welcome, page);
    },
    (message) => {
      if (message.type === "near") void show();
      else chat.heard(message);
    },
  );
}

let shown: Promise<void> | undefined;

/** Loads the views and draws the chat. */
function show(): Promise<void> {
  shown ??= import("./view").then(({ view }) => view(chat, root), reload);
  return shown;
}

/** Loads the page again once the server answers: a browser may never ask for a script again that it could not load. */
async function reload() {
  for (let failures = 0; ; failures++) {
    await pause(backoff(pauses, failures));
    const answer = await fetch(location.href, { method: "HEAD" }).catch(() => undefined);
    if (answer?.ok) return location.reload();
  }
}

/** A chat that is open is drawn at once, one with unread messages when the browser is idle. Safari has no such callback. */
function look() {
  if (chat.state.open) void show();
  else if (unreadOf(chat.state) > 0 && !shown) ((window.requestIdleCallback as typeof window.requestIdleCallback | undefined) ?? setTimeout)(() => void show());
}
chat.subscribe(look);
look();
