// A small program against the generated client: it is compiled, so that a
// change of the document that breaks callers shows. The types are strict: a
// null that is not looked at is an error.
import createClient from "openapi-fetch";
import type { components, paths } from "./build/parley.js";

type Message = components["schemas"]["Message"];

export async function sample(baseUrl: string, key: string): Promise<Message[]> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

  const contact = await client.POST("/v1/public/contacts", {
    body: { name: "Ann", email: "ann@acme.example", customAttributes: { plan: "pro" } },
  });
  if (contact.error) throw new Error(contact.error.error);
  const company: string = contact.data.company?.name ?? "no company";

  const made = await client.POST("/v1/public/conversations", {
    body: { contactId: contact.data.id, productId: null },
    params: { header: { "Idempotency-Key": "sample-1" } },
  });
  if (made.error) throw new Error(made.error.error);

  await client.POST("/v1/public/conversations/{id}/messages", {
    params: { path: { id: made.data.id } },
    body: { content: `Hello from ${company}`, role: "incoming" },
  });
  const changed = await client.PATCH("/v1/public/conversations/{id}", {
    params: { path: { id: made.data.id } },
    body: { status: "pending", priority: null },
  });
  if (changed.error) throw new Error(changed.error.error);

  const group = await client.POST("/v1/public/chatapp/groups", {
    body: { name: "Project", participants: ["+49 151 23456789"] },
  });
  if (group.response.status === 429) return [];

  const thread = await client.GET("/v1/public/conversations/{id}", {
    params: { path: { id: made.data.id }, query: { messages_limit: 20 } },
  });
  if (thread.error) throw new Error(thread.error.error);
  return thread.data.messages.data;
}
