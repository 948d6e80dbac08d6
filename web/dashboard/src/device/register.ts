/** Registers the service worker in the language of the page. Without HTTPS, browsers have none. */
export function registerWorker() {
  if (!("serviceWorker" in navigator)) return;
  const { lang } = document.documentElement;
  navigator.serviceWorker.register(lang === "en" ? "/worker.js" : `/worker.${lang}.js`, { updateViaCache: "none" }).catch(() => undefined); // the dashboard works without it
}
