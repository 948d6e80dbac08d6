import { keepDevice } from "./push";

/** Registers the service worker in the language of the page. Without HTTPS, browsers have none. */
export async function registerWorker() {
  if (!("serviceWorker" in navigator)) return;
  const { lang } = document.documentElement;
  try {
    await navigator.serviceWorker.register(lang === "en" ? "/worker.js" : `/worker.${lang}.js`, { updateViaCache: "none" });
    await keepDevice();
  } catch {
    // The dashboard works without it.
  }
}
