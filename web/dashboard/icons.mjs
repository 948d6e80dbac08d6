// Draws the icons of the installed app from public/assets/icon.svg, in Chromium:
//
//   node icons.mjs
//
// Their files are committed; run it after a change of the icon.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { findChromium } from "./test/chromium.mjs";

const assets = join(import.meta.dirname, "public/assets");
const icon = readFileSync(join(assets, "icon.svg"), "utf8");
const inside = icon.replace(/^<svg[^>]*>/, "").replace(/<\/svg>\s*$/, "");
const ground = /<rect[^>]*\/>/;

/** The icon without its round corners, its mark at a scale around the middle. Systems cut their own shape out of it. */
const filled = (scale) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#0f6b5a"/><g transform="translate(${16 - 16 * scale} ${16 - 16 * scale}) scale(${scale})">${inside.replace(ground, "")}</g></svg>`;
/** The mark alone, white: Android takes the shape for its status bar. */
const badge = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="5 4 22 23">${inside.replace(ground, "").replaceAll("#8fd9c6", "#fff")}</svg>`;

const pictures = [
  ["icon-192.png", 192, icon],
  ["icon-512.png", 512, icon],
  ["icon-maskable-192.png", 192, filled(1)],
  ["icon-maskable-512.png", 512, filled(1)],
  ["icon-apple.png", 180, filled(1.1)],
  ["badge-96.png", 96, badge],
];

const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
for (const [name, size, svg] of pictures) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body{margin:0}img{display:block;width:${size}px;height:${size}px}</style><img src="data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}">`);
  await page.screenshot({ path: join(assets, name), omitBackground: true });
}
await browser.close();
