import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "../api/client";
import type { ServerDraft } from "../api/types";
import { DraftMarks } from "../sync/draftmarks";
import { loadDraft, none, saveDraft, type Draft } from "./drafts";
import { contents, DraftSync, joinedDrafts } from "./draftsync";

const words = (text: string, note = false): Draft => ({ text, note, files: [] });

/** A server with the draft of one conversation, as the contract describes it. */
const server = { draft: words(""), version: 0, puts: 0, away: false };
const answer = (): ServerDraft => ({
  conversationId: "c",
  content: server.draft.text,
  isPrivate: server.draft.note,
  attachmentIds: [],
  begunId: null,
  version: server.version,
  createdAt: null,
  updatedAt: null,
});

vi.mock("../api/client", async (original) => ({
  ...(await original<typeof import("../api/client")>()),
  api: {
    get: () => (server.away ? Promise.reject(new ApiError(0, "away")) : Promise.resolve(answer())),
    put: (_path: string, body: { content: string; isPrivate: boolean; version: number }) => {
      if (server.away) return Promise.reject(new ApiError(0, "away"));
      if (body.version !== server.version) return Promise.reject(new ApiError(409, "version"));
      server.puts++;
      server.draft = words(body.content, body.isPrivate);
      server.version = body.content === "" ? 0 : Math.max(server.version, 100) + server.puts;
      return Promise.resolve(answer());
    },
  },
}));

beforeEach(() => {
  Object.assign(server, { draft: words(""), version: 0, puts: 0, away: false });
});
afterEach(() => vi.unstubAllGlobals());

/** A browser of the member; `enter` makes it the one whose storage is used. */
function device() {
  const kept = new Map<string, string>();
  const storage = new Proxy(
    { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value), removeItem: (key: string) => void kept.delete(key) },
    { ownKeys: () => [...kept.keys()], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) },
  );
  const marks = new DraftMarks();
  const sync = new DraftSync({ meId: "usr_a", marks });
  const enter = () => {
    vi.stubGlobal("localStorage", storage);
    marks.own.set(new Map(server.version > 0 ? [["c", { version: server.version, preview: "" }]] : []));
  };
  return {
    sync,
    enter,
    write: (draft: Draft) => {
      enter();
      saveDraft("usr_a", "c", draft);
      return sync.save("c");
    },
    /** Takes what the server has. */
    look: async () => {
      enter();
      await sync.all();
      await sync.take("c");
      return loadDraft("usr_a", "c");
    },
  };
}

test("a draft appears on another device, and ends on both", async () => {
  const [desk, phone] = [device(), device()];
  await desk.write(words("Thank"));
  expect(await phone.look()).toMatchObject({ text: "Thank" });
  await phone.write(words("Thank you", true));
  expect(await desk.look()).toMatchObject({ text: "Thank you", note: true });
  await desk.write(none);
  expect(await phone.look()).toEqual(none);
  const { puts } = server;
  await phone.look();
  expect(server.puts, "nothing is stored twice").toBe(puts);
});

test("what two devices write at once is joined, and both have it", async () => {
  const [desk, phone] = [device(), device()];
  await desk.write(words("Hello"));
  await phone.look();
  server.away = true;
  await phone.write(words("Hello from the phone", true));
  server.away = false;
  await desk.write(words("Hello from the desk"));
  const joined = { text: "Hello from the desk\n\nHello from the phone", note: true };
  expect(await phone.look()).toMatchObject(joined);
  expect(server.draft).toMatchObject(joined);
  expect(await desk.look()).toMatchObject(joined);
});

test("a draft that was sent elsewhere keeps what was written here since", async () => {
  const [desk, phone] = [device(), device()];
  await desk.write(words("Hello"));
  await phone.look();
  server.away = true;
  await phone.write(words("Hello, and one more thing"));
  server.away = false;
  await desk.write(none);
  expect(await phone.look()).toMatchObject({ text: "Hello, and one more thing" });
  expect(server.draft.text).toBe("Hello, and one more thing");
  await desk.write(none);
});

test("joining loses no words and shows the customer nothing that was a note", () => {
  const cases: [string, Draft, Draft, string, Draft][] = [
    ["the longer one has both", words("Hello you"), words("Hello"), "", words("Hello you")],
    ["the longer one is there", words("Hello"), words("Hello you", true), "", words("Hello you", true)],
    ["two texts", words("here"), words("there", true), "", words("there\n\nhere", true)],
    ["sent here", none, words("Hel"), "Hello", none],
    ["sent here, and another one there", none, words("Bye"), "Hello", words("Bye")],
    ["ended there", words("here"), none, "", words("here")],
  ];
  for (const [name, here, there, sent, want] of cases) expect(joinedDrafts(here, there, sent), name).toMatchObject(want);
  expect(contents(words(" \n "))).toBe("");
});
