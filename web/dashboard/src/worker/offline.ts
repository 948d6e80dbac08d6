import { texts } from "./texts";

/** How often the page looks whether the server is back, in ms. */
const pause = 5_000;

/* eslint-disable parley/bare-strings -- style, script and type of the page; its words are in the texts */

// The system's colours in either theme: the tokens' sheet cannot be fetched without a server.
const style = `
  :root { color-scheme: light dark; }
  body { margin: 0; min-height: 100dvh; display: grid; place-content: center; justify-items: center; gap: 0.75rem; padding: 1.5rem; box-sizing: border-box; text-align: center;
    font: 1rem/1.5 ui-sans-serif, system-ui, sans-serif; background: Canvas; color: CanvasText; }
  h1 { margin: 0; font-size: 1.25rem; }
  p { margin: 0; max-width: 26rem; }
  button { min-height: 2.75rem; padding: 0 1.25rem; font: inherit; }`;

const script = `
  const look = () => fetch(location.href, { method: "HEAD", cache: "no-store" }).then(({ ok }) => ok && location.reload(), () => {});
  document.querySelector("button").onclick = look;
  addEventListener("online", look);
  setInterval(() => document.visibilityState === "visible" && look(), ${pause});
  try {
    const theme = localStorage.getItem("parley.theme");
    if (theme === "light" || theme === "dark") document.documentElement.style.colorScheme = theme;
  } catch {}`;

/** The page that stands for every other while the server cannot be reached. It is part of the worker, so nothing is stored for it. */
export function offlinePage(): Response {
  const nonce = crypto.randomUUID();
  const { title, text, retry } = texts.offline;
  const page = `<!doctype html><html lang="${texts.locale}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${title} · Parley</title><style nonce="${nonce}">${style}</style><h1>${title}</h1><p>${text}</p><button type="button">${retry}</button><script nonce="${nonce}">${script}</script></html>`;
  return new Response(page, {
    status: 503,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`,
    },
  });
}
