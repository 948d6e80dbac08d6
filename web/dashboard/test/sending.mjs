// Shared by the scenes that send a message while the connection to the server is broken.
import { until } from "./start.mjs";

/** What the browser and the page then report. */
export const lost = [/net::ERR_/, /Failed to load resource/, /^answer: 50[03] /];

/** A contact with a question, on a server's API. */
export async function talk(api, name) {
  const contact = await api.post("/v1/public/contacts", { name, email: `${name.toLowerCase().replaceAll(" ", ".")}@example.org` });
  const { id } = await api.post("/v1/public/conversations", { contactId: contact.id });
  const path = `/v1/public/conversations/${id}`;
  await api.post(`${path}/messages`, { content: `a question of ${name}`, role: "incoming" });
  const count = async (text) => (await api.get(path)).messages.data.filter(({ content }) => content === text).length;
  return { id, path, name, address: `/inbox/${id}?status=open`, count };
}

/** Opens the conversation of such a contact. */
export async function open(page, talked) {
  await page.goto(talked.address);
  await page.getByRole("article").getByText(`a question of ${talked.name}`).waitFor();
}

export const reply = (page) => page.getByRole("textbox", { name: "Reply" });
export const row = (page, { name }) => page.getByRole("list").getByRole("link", { name: new RegExp(name) });
export const unsent = (page) => page.getByRole("article", { name: "Message that was not sent" });
export const sent = (page, text) => page.getByRole("article", { name: /^Message from/ }).getByText(text, { exact: true });

/** The two ways of sending: by keyboard and by mouse. */
export const press = {
  keyboard: async (page, text) => {
    await reply(page).fill(text);
    await reply(page).press("Control+Enter");
  },
  mouse: async (page, text) => {
    await reply(page).fill(text);
    await page.getByRole("button", { name: "Send", exact: true }).click();
  },
};

/** Breaks message requests until it is mended: "before" the server, "after" it, or with a status. */
export async function breakWay(context, fault) {
  const way = { fault, tries: 0 };
  await context.route("**/messages", async (route) => {
    if (route.request().method() !== "POST" || way.fault === "") return route.continue();
    way.tries++;
    if (way.fault === "before") return route.abort("connectionreset");
    if (typeof way.fault === "number") return route.fulfill({ status: way.fault, json: { error: "the server is busy" } });
    await route.fetch(); // the server has it, and its answer is lost
    return route.abort("connectionreset");
  });
  return way;
}

/** Waits until no message is queued in the browser. */
export const empty = (page) => until("an empty outbox", () => page.evaluate(() => !Object.keys(localStorage).some((key) => key.startsWith("parley.outbox."))));
