// Notifications of a page. With a service worker they are its notifications, under the tag of their conversation: so a
// notice that is pushed as well replaces them without a sound (src/worker/push.ts).
import type { Call } from "./decide";

const icon = "/assets/icon-192.png";

async function worker(): Promise<ServiceWorkerRegistration | undefined> {
  return "serviceWorker" in navigator ? navigator.serviceWorker.getRegistration() : undefined;
}

export async function showCall({ conversationId, title, text }: Call, open: () => void) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const registration = await worker();
  if (registration?.active) {
    return registration.showNotification(title, { body: text, tag: conversationId, icon, data: { id: "", at: Date.now(), conversationId } });
  }
  const notice = new Notification(title, { body: text, tag: conversationId, icon });
  notice.onclick = () => {
    window.focus();
    open();
    notice.close();
  };
}

/** Closes the notifications of a conversation that is being read. */
export async function closeCalls(conversationId: string) {
  const shown = (await (await worker())?.getNotifications({ tag: conversationId })) ?? [];
  for (const notice of shown) notice.close();
}

/** Calls `open` when the member chooses a notification. Returns what ends that. */
export function onOpenCall(open: (conversationId: string) => void): () => void {
  if (!("serviceWorker" in navigator)) return () => {};
  const { serviceWorker } = navigator;
  const hear = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "object" && data !== null && "open" in data && typeof data.open === "string") open(data.open);
  };
  serviceWorker.addEventListener("message", hear);
  return () => serviceWorker.removeEventListener("message", hear);
}
