import { chromium } from "playwright-core";
import { findChromium } from "./chromium.mjs";
import { flags, startServer, signIn, client, as } from "./start.mjs";
process.env.PARLEY = JSON.stringify({ binary: process.argv[2] });
const server = await startServer();
const browser = await chromium.launch({ executablePath: findChromium(), args: flags });
const token = await signIn(server.origin, server.login, server.password);
const desk = client(server.origin, as(token));
const api = client(server.origin, { Authorization: `Bearer ${server.key}` });
const out = "/dev/shm/push/shots";
const page = async (width, height, o = {}) => {
  const context = await browser.newContext({ baseURL: server.origin, viewport: { width, height }, reducedMotion: "reduce", ...o });
  await context.addCookies([{ name: "__Host-parley", value: token, url: server.origin.replace("http:", "https:"), httpOnly: true, secure: true, sameSite: "Lax" }]);
  return context.newPage();
};
try {
  await (await import(process.argv[3])).default({ server, page, desk, api, out });
} finally {
  await browser.close();
  await server.remove();
}
