// Calls a running server through the client that openapi-typescript types and
// openapi-fetch sends. It is compiled with strict types, so a change of the
// document that breaks callers shows; and it runs, so a type that is not what
// the server answers shows too.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "../build/parley.js";

type Message = components["schemas"]["Message"];
type Contact = components["schemas"]["Contact"];

const [baseUrl, key] = process.argv.slice(2) as [string, string];
const client = createClient<paths, "application/json">({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
let calls = 0;

/** The body of an answer that must have come well. */
function good<T>(answer: { data?: T; error?: { error: string }; response: Response }): T {
  calls++;
  if (answer.data === undefined) throw new Error(`${answer.response.status}: ${answer.error?.error}`);
  return answer.data;
}

/** The message of an answer that must be an error of a code. */
function refused(answer: { error?: { error: string }; response: Response }, code: string): string {
  calls++;
  assert.equal(answer.response.headers.get("Parley-Error"), code);
  assert.ok(answer.error);
  return answer.error.error;
}

async function people(): Promise<Contact> {
  const made = good(
    await client.POST("/v1/public/contacts", {
      body: { name: "Ann", email: "ann@ts.example", customAttributes: { plan: "pro" } },
    }),
  );
  assert.equal(made.email.toUpperCase(), "ANN@TS.EXAMPLE");
  assert.equal(made.company?.name ?? "none", "none");

  const again = good(await client.POST("/v1/public/contacts", { body: { email: "ann@ts.example", shopName: "Acme Shop" } }));
  assert.equal(again.id, made.id);

  const path = { id: made.id };
  const withPhone = good(await client.PATCH("/v1/public/contacts/{id}", { params: { path }, body: { phoneNumber: "+49 151 23456789" } }));
  assert.ok(withPhone.phoneNumber !== null);
  const without = good(await client.PATCH("/v1/public/contacts/{id}", { params: { path }, body: { phoneNumber: null } }));
  assert.equal(without.phoneNumber, null);

  const company = good(await client.POST("/v1/public/companies", { body: { name: "Acme TS", externalId: "ts-1", notes: null } }));
  const noted = good(await client.PATCH("/v1/public/companies/{id}", { params: { path: { id: company.id } }, body: { industry: "Retail" } }));
  assert.equal(noted.industry, "Retail");
  assert.equal(noted.notes, null);
  const found = good(await client.GET("/v1/public/companies", { params: { query: { search: "acme ts" } } }));
  assert.equal(found.data.length, 1);

  const linked = good(await client.PATCH("/v1/public/contacts/{id}", { params: { path }, body: { companyId: company.id } }));
  assert.equal(linked.company?.id, company.id);
  const staff = good(await client.GET("/v1/public/companies/{id}/contacts", { params: { path: { id: company.id } } }));
  assert.deepEqual(
    staff.data.map((contact) => contact.id),
    [made.id],
  );
  const listed = good(await client.GET("/v1/public/contacts", { params: { query: { limit: 1 } } }));
  assert.equal(listed.data.length, 1);
  const known = good(await client.GET("/v1/public/contacts", { params: { query: { email: "ann@ts.example" } } }));
  assert.deepEqual(
    known.data.map((contact) => contact.id),
    [made.id],
  );
  return good(await client.GET("/v1/public/contacts/{id}", { params: { path } }));
}

async function talk(contactId: string): Promise<Message> {
  const [inbox] = good(await client.GET("/v1/public/inboxes")).data;
  assert.ok(inbox);
  const [member] = good(await client.GET("/v1/public/members")).data;
  assert.ok(member);
  const made = good(
    await client.POST("/v1/public/conversations", {
      body: { contactId, inboxId: inbox.id, productId: null },
      params: { header: { "Idempotency-Key": "calls-ts" } },
    }),
  );
  assert.equal(made.product, null);
  assert.equal(made.assignee, null);

  const path = { id: made.id };
  const asked = good(await client.POST("/v1/public/conversations/{id}/messages", { params: { path }, body: { content: "Where is it?", role: "incoming" } }));
  assert.equal(asked.senderType, "contact");
  const changed = good(
    await client.PATCH("/v1/public/conversations/{id}", {
      params: { path },
      body: { status: "pending", priority: null, assigneeId: member.id, labels: ["parcel"] },
    }),
  );
  assert.equal(changed.assignee?.name, member.name);
  const open = good(await client.GET("/v1/public/conversations", { params: { query: { productId: "none", status: "pending" } } }));
  assert.deepEqual(
    open.data.map((conversation) => conversation.id),
    [made.id],
  );
  const thread = good(await client.GET("/v1/public/conversations/{id}", { params: { path, query: { messages_limit: 20 } } }));
  assert.equal(thread.messages.data.at(-1)?.id, asked.id);
  await review(asked);
  return asked;
}

/** Reads a conversation in parts, marks it as read, and labels it. */
async function review(asked: Message): Promise<void> {
  const path = { id: asked.conversationId };
  const one = good(await client.GET("/v1/public/messages/{id}", { params: { path: { id: asked.id } } }));
  assert.equal(one.content, asked.content);
  const list = good(await client.GET("/v1/public/conversations/{id}/messages", { params: { path, query: { order: "desc", limit: 1 } } }));
  assert.deepEqual(
    list.data.map((message) => message.id),
    [asked.id],
  );
  const read = good(await client.POST("/v1/public/conversations/{id}/read", { params: { path } }));
  assert.equal(read.unreadCount, 0);

  const labelled = { path: { ...path, label: "late & lost" } };
  const put = good(await client.PUT("/v1/public/conversations/{id}/labels/{label}", { params: labelled }));
  assert.deepEqual(put.labels, ["parcel", "late & lost"]);
  const removed = good(await client.DELETE("/v1/public/conversations/{id}/labels/{label}", { params: labelled }));
  assert.deepEqual(removed.labels, ["parcel"]);
  const history = good(await client.GET("/v1/public/conversations/{id}/history", { params: { path } }));
  assert.equal(history.data[0]?.type, "conversation.created");
  assert.equal(history.data[0]?.actor.type, "key");
}

/** Reads the log and narrows events by their type. */
async function events(message: Message): Promise<void> {
  const page = good(await client.GET("/v1/public/events", { params: { query: { limit: 200 } } }));
  assert.equal(page.reset, false);
  let seen = 0;
  for (const event of page.data) {
    if (event.type === "message.created") {
      assert.equal(event.data.content, message.content);
      assert.ok((event.moved?.unreadCount ?? 0) > 0);
      seen++;
    } else if (event.type === "contact.updated") {
      assert.ok(event.data.email.includes("@"));
      assert.ok(event.changed.length > 0);
      seen++;
    }
  }
  assert.ok(seen > 1);
}

async function errors(): Promise<void> {
  const id = "0193480f-2c4a-7d1e-8f00-3a5b9c2d1e05";
  refused(await client.GET("/v1/public/contacts/{id}", { params: { path: { id } } }), "not_found");
  const text = refused(await client.GET("/v1/public/products", { params: { query: { limit: 500 } } }), "invalid; field=limit");
  assert.match(text, /^limit: must be/);
  const body = { contactId: id };
  refused(await client.POST("/v1/public/conversations", { body }), "not_found; field=contactId");
}

const contact = await people();
await events(await talk(contact.id));
await errors();
console.log(`openapi-typescript: ${calls} calls`);
