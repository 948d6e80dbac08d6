// The styles of the button and of the panel around the frame.
export const css = `
:host { all: initial; --gap: 20px; --x: 1; color-scheme: light dark; }
:host([data-position="left"]) { --x: 0; }
button, .panel { position: fixed; z-index: 2147483000; }
[hidden] { display: none !important; }
button {
  right: calc(var(--gap) + env(safe-area-inset-right));
  bottom: calc(var(--gap) + env(safe-area-inset-bottom));
  box-sizing: border-box; width: 56px; height: 56px; margin: 0; padding: 0; border: 0; border-radius: 50%;
  background: var(--color); color: var(--ink); cursor: pointer;
  box-shadow: 0 1px 3px #0003, 0 6px 22px #00000038;
  transition: transform .16s cubic-bezier(.2,.7,.3,1), box-shadow .16s;
}
:host([data-position="left"]) button { right: auto; left: calc(var(--gap) + env(safe-area-inset-left)); }
button:hover { transform: translateY(-2px); box-shadow: 0 2px 4px #0003, 0 10px 28px #00000042; }
button:active { transform: scale(.95); }
button:focus-visible { outline: 3px solid var(--ink); outline-offset: -6px; box-shadow: 0 0 0 3px var(--color), 0 6px 22px #00000038; }
svg { position: absolute; inset: 15px; width: 26px; height: 26px; transition: opacity .14s, transform .2s cubic-bezier(.2,.7,.3,1); }
path { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.close, :host([data-open]) .open { opacity: 0; transform: scale(.6) rotate(-30deg); }
:host([data-open]) .close { opacity: 1; transform: none; }
.badge {
  position: absolute; top: -3px; right: -3px; box-sizing: border-box; min-width: 21px; height: 21px; padding: 0 6px; border-radius: 11px;
  background: #c62828; color: #fff; font: 600 12px/21px system-ui, sans-serif; text-align: center; box-shadow: 0 0 0 2px #fff;
}
.panel {
  right: calc(var(--gap) + env(safe-area-inset-right));
  bottom: calc(var(--gap) + 70px + env(safe-area-inset-bottom));
  width: 400px; max-width: calc(100vw - 2 * var(--gap)); height: min(700px, calc(100dvh - 2 * var(--gap) - 76px));
  border-radius: 18px; overflow: hidden; background: light-dark(#fff, #161b1a);
  box-shadow: 0 0 0 1px light-dark(#0000000f, #ffffff1c), 0 4px 12px #0000001f, 0 18px 60px #0000003d;
  visibility: hidden; opacity: 0; transform: translateY(10px) scale(.98); transform-origin: calc(100% * var(--x)) 100%;
  transition: opacity .16s, transform .2s cubic-bezier(.2,.7,.3,1), visibility 0s .2s;
}
:host([data-position="left"]) .panel { right: auto; left: calc(var(--gap) + env(safe-area-inset-left)); }
:host([data-open]) .panel { visibility: visible; opacity: 1; transform: none; transition-delay: 0s; }
iframe { display: block; width: 100%; height: 100%; border: 0; color-scheme: inherit; }
@media (max-width: 520px), (max-height: 480px) {
  .panel, :host([data-position="left"]) .panel { inset: 0; width: 100%; max-width: none; height: 100%; border-radius: 0; }
  :host([data-open]) button { visibility: hidden; }
  :host { --gap: 16px; }
}
@media (prefers-reduced-motion: reduce) { button, svg, .panel { transition: none; } }
@media print { :host { display: none; } }
`.replace(/\s+/g, " ");
