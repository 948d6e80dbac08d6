// Notifications of this browser by its push service.
import { api } from "../api/client";
import type { Me, PushDevice, PushDevices } from "../api/types";
import { readStored, writeStored } from "../kit/stored";

export const devicesPath = "/v1/dashboard/push-devices";

/** The member who has turned them on in this browser. */
const wantedKey = "parley.push";

/** Why this browser can have none; null if it can. `install`: an iPhone has them only for installed apps. */
export type Hindrance = "unsupported" | "insecure" | "install" | "denied";

export function hindrance(): Hindrance | null {
  if (!window.isSecureContext) return "insecure";
  const apple = /iPhone|iPad/.test(navigator.userAgent) || (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);
  if (!("serviceWorker" in navigator) || !("PushManager" in window) || !("Notification" in window)) return apple && !isInstalled() ? "install" : "unsupported";
  return Notification.permission === "denied" ? "denied" : null;
}

function isInstalled(): boolean {
  return window.matchMedia("(display-mode: standalone)").matches;
}

async function subscriptionHere(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Whether this browser gets them, as far as it knows. */
export async function isSubscribed(): Promise<boolean> {
  return "serviceWorker" in navigator && "PushManager" in window && (await subscriptionHere()) !== null;
}

async function store(subscription: PushSubscription): Promise<PushDevice> {
  const { endpoint, keys } = subscription.toJSON();
  return api.post<PushDevice>(devicesPath, { endpoint, p256dh: keys?.["p256dh"], auth: keys?.["auth"] });
}

/** Turns them on. False if the member has not allowed notifications. */
export async function turnOn(memberId: string, publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const { pushManager } = await navigator.serviceWorker.ready;
  // A browser has one subscription, and refuses another key.
  await (await pushManager.getSubscription())?.unsubscribe();
  await store(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
  writeStored(wantedKey, memberId);
  return true;
}

/** Turns them off in this browser. */
export async function turnOff() {
  writeStored(wantedKey, null);
  await (await subscriptionHere())?.unsubscribe();
}

/**
 * Gives the server the subscription again if its session does not have it, as after signing in anew. Ends it if another
 * member is signed in than the one who wanted it.
 */
export async function keepDevice() {
  if (hindrance() !== null) return;
  const subscription = await subscriptionHere();
  if (!subscription) return;
  const { member } = await api.get<Me>("/v1/dashboard/session");
  if (readStored(wantedKey) !== member.id) {
    await subscription.unsubscribe();
    return;
  }
  const { data } = await api.get<PushDevices>(devicesPath);
  if (!data.some(({ current }) => current)) await store(subscription);
}
