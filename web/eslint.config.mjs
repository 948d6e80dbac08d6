// The rules of the browser's side: ESLint's own, typescript-eslint's strict set
// and those of hooks, but for what stands here with its reason. What is left
// out at one place has its reason there, behind "--".
import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import hooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";
import bareStrings from "./barestrings.mjs";
import translated from "./translated.mjs";

export default defineConfig(
  { ignores: ["**/dist/", "**/*.gen.ts", "openapi/build/", "openapi/clients/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  {
    files: ["**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // `() => set(value)` and `return leave()` say all there is to say.
      "@typescript-eslint/no-confusing-void-expression": "off",
      // A number in a text is what it looks like.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // An async function turns what it throws into a refusal, which is what its caller waits for.
      "@typescript-eslint/require-await": "off",
      // It takes a fifth of the time; editors strike such names through.
      "@typescript-eslint/no-deprecated": "off",
      // `_` is what a pattern leaves out.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["dashboard/src/**/*.{ts,tsx}"],
    ignores: ["**/*.test.{ts,tsx}"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.property.name='localeCompare']:not([arguments.1.name='locale'])",
          message: "Names are sorted as the catalogue's language does: pass `locale` of kit/texts.",
        },
      ],
    },
  },
  {
    files: ["dashboard/src/**/*.{ts,tsx}", "widget/src/**/*.{ts,tsx}"],
    plugins: { "react-hooks": hooks },
    // The plugin's other rules prepare for the React Compiler, which does not run here, and take a third of the time.
    rules: { "react-hooks/rules-of-hooks": "error", "react-hooks/exhaustive-deps": "error" },
  },
  {
    files: ["**/*.{ts,tsx}"],
    ignores: [
      "**/texts.ts", // the catalogues
      "**/*.texts.ts", // a part of a folder's texts
      "**/texts.*.ts", // the catalogues of other languages
      "**/*.texts.*.ts",
      "dashboard/languages.ts", // what a page without scripts says
      "**/*.test.{ts,tsx}",
      "**/*.fixture.ts",
      "**/vite.config.ts",
      "**/vite.worker.config.ts",
      "dashboard/src/styleguide/**", // shows parts to developers
      "widget/src/frame/diagnose.ts", // speaks to a shop's developers, in their console
      "widget/src/tag/style.ts", // styles
    ],
    plugins: { parley: { rules: { "bare-strings": bareStrings } } },
    rules: { "parley/bare-strings": "error" },
  },
  {
    // The chat brings its languages in another way.
    files: ["dashboard/src/**/texts.ts", "dashboard/src/**/*.texts.ts", "shared/texts.ts"],
    plugins: { parley: { rules: { translated } } },
    rules: { "parley/translated": "error" },
  },
  {
    files: ["**/*.{js,mjs}"],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
);
