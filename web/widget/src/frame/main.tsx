// The page in the frame: /widget/frame?inbox=<id>. Opened on its own it is a
// full-page chat; with &preview it is filled by the settings of the inbox. The
// server writes the inbox whose websites it checked into the page, so that the
// address is not read a second time.
import { render } from "preact";
import type { Theme } from "../protocol";
import { App } from "./App";
import { Chat } from "./chat";
import "./tokens.css";
import "./frame.css";
import "./conversation.css";
import "./articles.css";
import { findHost } from "./host";
import type { Config } from "./types";

const query = new URLSearchParams(location.search);
const root = document.getElementById("root") as HTMLElement;
const chat = new Chat(root.dataset["inbox"] ?? "");

function setTheme(theme: Theme) {
  if (theme !== "auto") document.documentElement.dataset["theme"] = theme;
}

if (query.has("preview")) {
  document.documentElement.inert = true;
  window.addEventListener("message", (event: MessageEvent<{ parley?: unknown; config?: Config; theme?: Theme } | null>) => {
    if (event.origin !== location.origin || event.data?.parley !== "preview" || !event.data.config) return;
    setTheme(event.data.theme ?? "auto");
    chat.preview(event.data.config);
  });
  window.parent.postMessage({ parley: "hello" }, location.origin);
} else if (window.parent === window) {
  document.documentElement.dataset["alone"] = "";
  void chat.start({ send: () => undefined }, { open: true, identity: null });
} else {
  const host = findHost(
    (welcome, page) => {
      setTheme(welcome.theme);
      void chat.start(host, welcome, page);
    },
    (message) => chat.heard(message),
  );
}
render(<App chat={chat} />, root);
