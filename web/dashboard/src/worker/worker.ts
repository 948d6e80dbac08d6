// The service worker of the dashboard. It stores nothing: no page, no script and no answer of the API, so that neither an
// upgrade nor a sign-out leaves anything behind. Without a connection it shows a page that says so.
import { offlinePage } from "./offline";
import { isPage } from "./pages";
import { open, renew, show } from "./push";

declare const self: ServiceWorkerGlobalScope;

/** In browsers with static routes (Chromium), everything that is no navigation goes past the worker. */
interface RoutedInstall extends ExtendableEvent {
  addRoutes?: (rule: { condition: { or: { requestMode: RequestMode }[] }; source: "network" }) => Promise<void>;
}

self.addEventListener("install", (event) => {
  event.waitUntil(Promise.all([self.skipWaiting(), routePast(event)]));
});

async function routePast(event: RoutedInstall) {
  const modes = ["cors", "no-cors", "same-origin"] as const;
  // A browser without them asks the worker, which does not answer.
  await event.addRoutes?.({ condition: { or: modes.map((requestMode) => ({ requestMode })) }, source: "network" }).catch(() => undefined);
}

self.addEventListener("activate", (event) => {
  // The page is requested while the worker starts, not after it.
  event.waitUntil(self.registration.navigationPreload.enable());
});

self.addEventListener("fetch", (event) => {
  const { mode, method, destination, url } = event.request;
  if (mode !== "navigate" || method !== "GET" || destination !== "document" || !isPage(new URL(url).pathname)) return;
  event.respondWith(pageFor(event));
});

async function pageFor(event: FetchEvent): Promise<Response> {
  try {
    const early = (await event.preloadResponse) as Response | undefined;
    return early ?? (await fetch(event.request));
  } catch {
    return offlinePage();
  }
}

self.addEventListener("push", (event) => event.waitUntil(show(event.data)));
self.addEventListener("notificationclick", (event) => event.waitUntil(open(event.notification)));
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
