(function(){var e={locale:`de`,offline:{title:`Keine Verbindung`,text:`Parley ist nicht erreichbar. Was Sie geschrieben haben, ist weiterhin in diesem Browser; diese Seite macht weiter, sobald die Verbindung wieder steht.`,retry:`Erneut versuchen`}},t=5e3,n=`
  :root { color-scheme: light dark; }
  body { margin: 0; min-height: 100dvh; display: grid; place-content: center; justify-items: center; gap: 0.75rem; padding: 1.5rem; box-sizing: border-box; text-align: center;
    font: 1rem/1.5 ui-sans-serif, system-ui, sans-serif; background: Canvas; color: CanvasText; }
  h1 { margin: 0; font-size: 1.25rem; }
  p { margin: 0; max-width: 26rem; }
  button { min-height: 2.75rem; padding: 0 1.25rem; font: inherit; }`,r=`
  const look = () => fetch(location.href, { method: "HEAD", cache: "no-store" }).then(({ ok }) => ok && location.reload(), () => {});
  document.querySelector("button").onclick = look;
  addEventListener("online", look);
  setInterval(() => document.visibilityState === "visible" && look(), ${t});
  try {
    const theme = localStorage.getItem("parley.theme");
    if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
  } catch {}`;function i(){let t=crypto.randomUUID(),{title:i,text:a,retry:o}=e.offline,s=`<!doctype html><html lang="${e.locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${i} · Parley</title><style nonce="${t}">${n}</style><h1>${i}</h1><p>${a}</p><button type="button">${o}</button><script nonce="${t}">${r}<\/script></html>`;return new Response(s,{status:503,headers:{"Content-Type":`text/html; charset=utf-8`,"Cache-Control":`no-store`,"Content-Security-Policy":`default-src 'none'; style-src 'nonce-${t}'; script-src 'nonce-${t}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`}})}var a=[``,`inbox`,`search`,`contacts`,`companies`,`articles`,`reports`,`settings`,`signin`,`invite`,`welcome`,`print`,`styleguide`];function o(e){return a.includes(e.split(`/`)[1]??``)}self.addEventListener(`install`,e=>{e.waitUntil(Promise.all([self.skipWaiting(),s(e)]))});async function s(e){await e.addRoutes?.({condition:{or:[`cors`,`no-cors`,`same-origin`].map(e=>({requestMode:e}))},source:`network`}).catch(()=>void 0)}self.addEventListener(`activate`,e=>{e.waitUntil(self.registration.navigationPreload.enable())}),self.addEventListener(`fetch`,e=>{let{mode:t,method:n,destination:r,url:i}=e.request;t===`navigate`&&n===`GET`&&r===`document`&&o(new URL(i).pathname)&&e.respondWith(c(e))});async function c(e){try{return await e.preloadResponse??await fetch(e.request)}catch{return i()}}})();