"use strict";
// The link of the navigation that leads to this page names its document.
const page = location.pathname.replace(/\/$/, "");
const current = document.querySelector(`nav.documents a[href="${page}"]`);
current.setAttribute("aria-current", "page");
document.title = `Parley ${current.textContent} reference`;

SwaggerUIBundle({
  url: current.dataset.document,
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 2,
  displayRequestDuration: true,
  filter: true,
  // A key that is typed in is forgotten with the page.
  persistAuthorization: false,
  // The validator is a service of others.
  validatorUrl: null,
});

// The viewer knows its dark colours by a class of the root.
const dark = matchMedia("(prefers-color-scheme: dark)");
const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", paint);
paint();
