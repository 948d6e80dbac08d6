// Shows what the server pushes, once for the member: a page in front shows it itself, and one that is open behind may have
// shown it already, under the same tag.
import { readMessage, wordsOf, type Message } from "./notice";
import { isPage } from "./pages";

declare const self: ServiceWorkerGlobalScope;

/** How long another notification of a conversation replaces the last one without a sound, in ms. */
const hush = 15_000;

/** What a notification knows; the page writes the same (src/calls/show.ts). */
interface Shown {
  id: string;
  at: number;
  conversationId: string;
}

/** Options that the types of TypeScript lack. */
interface Options extends NotificationOptions {
  renotify: boolean;
}

export async function show(data: PushMessageData | null) {
  const message = readMessage(parsed(data));
  const pages = await openPages();
  if (mayStaySilent(message) && pages.some(({ focused }) => focused)) return;
  const tag = message.conversationId || message.kind || "notice";
  const before = (await self.registration.getNotifications({ tag })).map(({ data: shown }) => shown as Shown | null);
  const again = before.some((shown) => shown !== null && (shown.id === message.id || Date.now() - shown.at < hush));
  const { title, body } = wordsOf(message);
  const shown: Shown = { id: message.id, at: Date.now(), conversationId: message.conversationId };
  const options: Options = { body, tag, renotify: !again, icon: "/assets/icon-192.png", badge: "/assets/badge-96.png", data: shown };
  await self.registration.showNotification(title, options);
}

function parsed(data: PushMessageData | null): unknown {
  try {
    return data?.json();
  } catch {
    return null;
  }
}

/** Safari ends the subscription of a page that shows nothing, and a test is to be seen. */
function mayStaySilent({ kind }: Message): boolean {
  const { userAgent } = self.navigator;
  const safari = userAgent.includes("AppleWebKit") && !/Chrom(?:e|ium)|CriOS|Android/.test(userAgent);
  return kind !== "test" && !safari;
}

async function openPages(): Promise<readonly WindowClient[]> {
  const all = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter(({ url, frameType }) => frameType === "top-level" && isPage(new URL(url).pathname));
}

/** Opens the conversation in a page that is open, or in a new one. */
export async function open(notification: Notification) {
  notification.close();
  const { conversationId } = (notification.data ?? {}) as Partial<Shown>;
  const pages = await openPages();
  const page = pages.find(({ focused }) => focused) ?? pages.find(({ visibilityState }) => visibilityState === "visible") ?? pages[0];
  const address = conversationId ? `/inbox/${conversationId}` : "/";
  try {
    if (!page) throw new Error();
    await page.focus();
    if (conversationId) page.postMessage({ open: conversationId });
  } catch {
    await self.clients.openWindow(address);
  }
}

/** Tells the server the new address of this browser. Without a session it learns of it when the member opens the dashboard. */
export async function renew({ newSubscription, oldSubscription }: PushSubscriptionChangeEvent) {
  const options = oldSubscription?.options;
  const subscription = newSubscription ?? (options?.applicationServerKey ? await self.registration.pushManager.subscribe(options) : null);
  const { endpoint, keys } = subscription?.toJSON() ?? {};
  if (!endpoint || !keys) return;
  await fetch("/v1/dashboard/push-devices", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ endpoint, p256dh: keys["p256dh"], auth: keys["auth"] }),
  });
}
