import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "./tokens.css";
import "./base.css";
import { App } from "./app/App";

// After an update of the server, a page that is still open may ask for a part
// that fits the new script only. Loading the page again brings both.
window.addEventListener("vite:preloadError", () => {
  const last = Number(sessionStorage.getItem("parley.reloaded"));
  if (Date.now() - last < 60_000) return;
  sessionStorage.setItem("parley.reloaded", String(Date.now()));
  location.reload();
});

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
