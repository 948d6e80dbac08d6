// The page that embeds the frame, reached through the script of its tag.
import type { ToFrame, ToTag, Welcome } from "../protocol";

export interface Host {
  send: (message: ToTag) => void;
}

/** Greets the surrounding page and keeps the port that it answers with. */
export function findHost(onWelcome: (welcome: Welcome, page: string) => void, onMessage: (message: ToFrame) => void): Host {
  let port: MessagePort | undefined;
  window.addEventListener("message", (event: MessageEvent<Partial<Welcome> | null>) => {
    if (event.source !== window.parent || event.data?.parley !== "welcome" || !event.ports[0]) return;
    port = event.ports[0];
    onWelcome(event.data as Welcome, event.origin);
    port.onmessage = ({ data }: MessageEvent<ToFrame>) => onMessage(data);
  });
  // The greeting contains nothing, so every page may receive it. The policy in
  // the headers of the frame decides which pages may embed it.
  window.parent.postMessage({ parley: "hello" }, "*");
  return { send: (message) => port?.postMessage(message) };
}
