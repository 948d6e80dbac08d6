// The script with the views and their styles.
import { render } from "preact";
import { App } from "./App";
import type { Chat } from "./chat";
import "./tokens.css";
import "./frame.css";
import "./conversation.css";
import "./articles.css";

export function view(chat: Chat, root: Element) {
  render(<App chat={chat} />, root);
}
