import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./tokens.css";
import "./base.css";
// The kit comes before every page, whose own styles win.
import "./kit/styles";
import { App } from "./app/App";
import { isFetchingAhead } from "./kit/chunk";
import { readStored, writeStored } from "./kit/stored";

// After an update of the server, a page that is still open may load a chunk
// that only fits the new script. Reloading the page fetches both. Without a
// network, or while the server is away, it would end the page instead.
window.addEventListener("vite:preloadError", () => {
  if (isFetchingAhead()) return;
  const last = Number(readStored("parley.reloaded", "sessionStorage"));
  if (Date.now() - last < 60_000) return;
  fetch(location.href, { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => {
      if (!ok) return;
      writeStored("parley.reloaded", String(Date.now()), "sessionStorage");
      location.reload();
    },
    () => {},
  );
});

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
