// How @hey-api/openapi-ts generates the client that clients/ compiles and runs.
export default {
  input: process.env.DOCUMENT ?? "../../api/openapi.yaml",
  output: { path: "build/hey", clean: true, module: { extension: ".js" } },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
};
