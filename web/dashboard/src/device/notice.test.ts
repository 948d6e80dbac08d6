import { expect, test } from "vitest";
import { readMessage, wordsOf } from "../worker/notice";

const message = { id: "n:1", kind: "mentioned", conversationId: "c", actor: "Bo", contact: "Dee", text: "Can you look?", count: 1 };

test("a notification says who and what", () => {
  expect(wordsOf(message)).toEqual({ title: "Bo mentioned you", body: "Can you look?" });
  expect(wordsOf({ ...message, kind: "assigned" })).toEqual({ title: "Bo assigned you a conversation", body: "Dee" });
  expect(wordsOf({ ...message, kind: "answered", actor: "", count: 3 })).toEqual({ title: "Dee (3)", body: "Can you look?" });
  expect(wordsOf({ ...message, kind: "answered" })).toEqual({ title: "Bo answered Dee", body: "Can you look?" });
  expect(wordsOf({ ...message, kind: "note" }).title).toBe("Bo wrote a note");
  expect(wordsOf({ ...message, kind: "woke" })).toEqual({ title: "A conversation is back", body: "Dee" });
});

test("anything that arrives becomes a notification", () => {
  for (const value of [null, 1, "x", [], {}, { kind: 7, count: "many" }, { kind: "of a later version" }]) {
    expect(wordsOf(readMessage(value)).title).toBe("Something new");
  }
});
