// The page that holds the frame, by way of the tag's script in it.
import type { ToFrame, ToTag, Welcome } from "../protocol";

export interface Host {
  send: (message: ToTag) => void;
}

/** Says hello to the page around the frame and keeps the port that it answers with. */
export function findHost(onWelcome: (welcome: Welcome, page: string) => void, onMessage: (message: ToFrame) => void): Host {
  let port: MessagePort | undefined;
  window.addEventListener("message", (event: MessageEvent<Partial<Welcome> | null>) => {
    if (event.source !== window.parent || event.data?.parley !== "welcome" || !event.ports[0]) return;
    port = event.ports[0];
    onWelcome(event.data as Welcome, event.origin);
    port.onmessage = ({ data }: MessageEvent<ToFrame>) => onMessage(data);
  });
  // It tells nothing, so every page may hear it. Who may hold the frame at all,
  // the policy of the frame's own answer says.
  window.parent.postMessage({ parley: "hello" }, "*");
  return { send: (message) => port?.postMessage(message) };
}
