// Calls a running server through the client that @hey-api/openapi-ts generates.
import assert from "node:assert/strict";
import { client } from "../build/hey/client.gen.js";
import { createContact, getContact, listConversations, listEvents, updateContact } from "../build/hey/sdk.gen.js";

const [baseUrl, key] = process.argv.slice(2) as [string, string];
client.setConfig({ baseUrl, auth: () => key });

const made = await createContact({ body: { name: "Bea", email: "bea@hey.example" }, throwOnError: true });
assert.equal(made.data.email.toUpperCase(), "BEA@HEY.EXAMPLE");
const changed = await updateContact({ path: { id: made.data.id }, body: { phoneNumber: null, shopName: "Hey" }, throwOnError: true });
assert.equal(changed.data.phoneNumber?.length ?? 0, 0);
const page = await listConversations({ query: { productId: "none", limit: 5 }, throwOnError: true });
assert.ok(page.data.data.length >= 0);
const log = await listEvents({ query: { limit: 200 }, throwOnError: true });
const created = log.data.data.find((event) => event.type === "contact.created" && event.data.id === made.data.id);
assert.ok(created);
const missing = await getContact({ path: { id: "0193480f-2c4a-7d1e-8f00-3a5b9c2d1e05" } });
assert.ok(missing.error?.error);
assert.equal(missing.response?.headers.get("Parley-Error"), "not_found");
console.log("@hey-api/openapi-ts: 5 calls");
