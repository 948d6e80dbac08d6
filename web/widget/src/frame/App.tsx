import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import type { Chat } from "./chat";
import { inkOn } from "../../../shared/ink";
import { readable } from "./color";
import { Home } from "./Home";
import { Reading } from "./Reading";
import type { State } from "./state";
import { Thread } from "./Thread";
import { phrase } from "./language";

/** The whole page in the frame. */
export function App({ chat }: { chat: Chat }) {
  const state = useChat(chat);
  const { config, phase, open, tongue } = state;
  const color = config?.color ?? "";
  useEffect(() => {
    if (color === "") return;
    const { style } = document.documentElement;
    style.setProperty("--accent", color);
    style.setProperty("--on-accent", inkOn(color));
    style.setProperty("--accent-text", `light-dark(${readable(color, false)}, ${readable(color, true)})`);
  }, [color]);
  useEffect(() => {
    if (config) document.title = config.title || config.name;
  }, [config]);
  useEffect(() => {
    const escape = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) chat.close();
    };
    document.addEventListener("keydown", escape);
    return () => document.removeEventListener("keydown", escape);
  }, [chat]);
  useLayoutEffect(() => {
    if (tongue) Object.assign(document.documentElement, { lang: tongue.language, dir: tongue.dir });
  }, [tongue]);
  if (!tongue) return null;
  if (!config || phase !== "ready") return phase === "closed" ? <p class="closed">{phrase("closed")}</p> : null;
  const { view } = state;
  const home = view.name === "home" && (state.conversations.length > 0 || config.articles);
  return (
    <main key={tongue.locale} class="app" data-open={open}>
      {view.name === "article" ? (
        <Reading key={view.slug} chat={chat} state={state} config={config} view={view} />
      ) : home ? (
        <Home chat={chat} state={state} config={config} />
      ) : (
        <Thread key={view.name === "thread" ? "thread" : "new"} chat={chat} state={state} config={config} id={view.name === "thread" ? view.id : null} />
      )}
    </main>
  );
}

function useChat(chat: Chat): State {
  const [state, setState] = useState(chat.state);
  useEffect(() => {
    setState(chat.state);
    return chat.subscribe(() => setState(chat.state));
  }, [chat]);
  return state;
}
