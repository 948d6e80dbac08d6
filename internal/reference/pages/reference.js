"use strict";
SwaggerUIBundle({
  url: "/v1/public/openapi.json",
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
