import { afterEach, expect, test, vi } from "vitest";
import type { NoticePreferences } from "../api/types";
import { isWanted, Wanted } from "./wanted";

afterEach(() => void vi.unstubAllGlobals());

const kinds: NoticePreferences["kinds"] = { mentioned: ["desktop", "mail"], assigned: ["push"], answered: [], note: [], woke: [], unassigned: ["desktop"] };
const silences = [{ begin: "2026-11-23T21:00:00.000Z", end: "2026-11-24T06:00:00.000Z" }];

test("only chosen kinds call, and none in quiet hours", () => {
  const at = (time: string, kind: "mentioned" | "assigned" | "unassigned" = "mentioned") => isWanted({ kinds, silences }, kind, Date.parse(time));
  expect([at("2026-11-23T20:59:59Z"), at("2026-11-23T21:00:00Z"), at("2026-11-24T06:00:00Z")]).toEqual([true, false, true]);
  expect([at("2026-11-23T12:00:00Z", "assigned"), at("2026-11-23T12:00:00Z", "unassigned")]).toEqual([false, true]);
});

test("the choices are read once, again after a change, and everything is wanted while they cannot be read", async () => {
  const fetch = vi.fn(() => Promise.resolve(new Response("no", { status: 503 })));
  vi.stubGlobal("fetch", fetch);
  const wanted = new Wanted();
  expect(await wanted.wants("note")).toBe(true);
  fetch.mockImplementation(() => Promise.resolve(new Response(JSON.stringify({ kinds, silences }))));
  expect([await wanted.wants("note"), await wanted.wants("mentioned")]).toEqual([false, true]);
  expect(fetch).toHaveBeenCalledTimes(2);
  fetch.mockImplementation(() => Promise.resolve(new Response(JSON.stringify({ kinds: { ...kinds, note: ["desktop"] }, silences }))));
  wanted.forget();
  expect(await wanted.wants("note")).toBe(true);
});
