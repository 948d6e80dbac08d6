// What must not compile: each line below @ts-expect-error has a mistake that
// the generated types must find. It is compiled and never run.
import createClient from "openapi-fetch";
import type { components, paths } from "../build/parley.js";
import type { ContactFields, ListConversationsData, NewConversation, NewMessage } from "../build/hey/types.gen.js";

type Schemas = components["schemas"];
const client = createClient<paths, "application/json">();
const id = "0193480f-2c4a-7d1e-8f00-3a5b9c2d1e01";

export const wrong = [
  // A member that is spelled wrong.
  // @ts-expect-error
  { contactId: id, inboxid: id } satisfies Schemas["NewConversation"],
  // @ts-expect-error
  { contactId: id, inboxid: id } satisfies NewConversation,
  // @ts-expect-error
  { content: "hi", private: true } satisfies Schemas["NewMessage"],
  // @ts-expect-error
  { content: "hi", private: true } satisfies NewMessage,
  // @ts-expect-error
  { nam: "Acme", name: "Acme" } satisfies Schemas["NewCompany"],

  // A value of another type, or none of those listed.
  // @ts-expect-error
  { content: 5 } satisfies Schemas["NewMessage"],
  // @ts-expect-error
  { content: "hi", role: "both" } satisfies Schemas["NewMessage"],
  // @ts-expect-error
  { content: "hi", role: "both" } satisfies NewMessage,
  // @ts-expect-error
  { status: "closed" } satisfies Schemas["ConversationChange"],
  // @ts-expect-error
  { email: 1 } satisfies Schemas["ContactFields"],
  // @ts-expect-error
  { email: 1 } satisfies ContactFields,
  // @ts-expect-error
  { url: "/v1/public/conversations", query: { productId: 7 } } satisfies ListConversationsData,

  // A member that must be there.
  // @ts-expect-error
  {} satisfies Schemas["NewConversation"],
  // @ts-expect-error
  { name: "Project" } satisfies Schemas["NewGroup"],

  // Null where there is none.
  // @ts-expect-error
  { name: null } satisfies Schemas["NewCompany"],
];

// What may be absent, and null where it means something.
export const right = [
  { name: "Project", participants: ["+49 151 23456789"] } satisfies Schemas["NewGroup"],
  { contactId: id, productId: null } satisfies Schemas["NewConversation"],
  { content: "hi" } satisfies Schemas["NewMessage"],
  { attachmentIds: [id] } satisfies Schemas["NewMessage"],
  { companyId: null, email: "" } satisfies Schemas["ContactFields"],
];

export async function reads(): Promise<void> {
  const answer = await client.GET("/v1/public/contacts/{id}", { params: { path: { id } } });
  // @ts-expect-error An answer may be an error.
  answer.data.id.trim();
  // @ts-expect-error A contact may have no company.
  answer.data?.company.name.trim();
  // @ts-expect-error A conversation's priority may be null.
  ({}) as Schemas["Conversation"]["priority"] satisfies string;
  // @ts-expect-error The filter is text.
  await client.GET("/v1/public/conversations", { params: { query: { productId: 7 } } });
  // @ts-expect-error No such filter.
  await client.GET("/v1/public/conversations", { params: { query: { product: "none" } } });
  // @ts-expect-error The address needs an id.
  await client.GET("/v1/public/conversations/{id}", {});
}

export function events(event: Schemas["Event"]): void {
  // @ts-expect-error What data is, only the type tells.
  event.data.content.trim();
  if (event.type === "message.created") {
    event.data.content.trim();
    // @ts-expect-error A message has no e-mail address.
    event.data.email.trim();
  }
  // @ts-expect-error There is no such type.
  if (event.type === "message.vanished") event.seq.toFixed();
}
