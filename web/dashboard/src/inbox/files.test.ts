import { afterEach, expect, test, vi } from "vitest";
import type { Attachment } from "../api/types";
import { dropDrafts, loadDraft, saveDraft } from "./drafts";
import { fileAddress, fileSize, mostFiles } from "../../../shared/files";
import { ended, madeAt, pictureSize, shownAs } from "./files";
import { changed, readyOf, room, type Upload } from "./uploads";

function file(id: string, contentType = "image/png"): Attachment {
  return { id, fileName: `${id}.png`, contentType, size: 1, url: `/v1/files/${id}/x?e=1&s=x`, width: null, height: null, duration: null };
}

function uploaded(key: string, more: Partial<Upload> = {}): Upload {
  return { key, name: key, share: 0, file: null, fault: "", ...more };
}

afterEach(() => vi.unstubAllGlobals());

test("only types that the server serves for display are displayed", () => {
  expect(["image/png", "audio/mpeg", "video/mp4"].map((contentType) => shownAs({ contentType }))).toEqual(["picture", "sound", "film"]);
  for (const contentType of ["image/svg+xml", "text/html", "application/pdf", "image/heic", "", "constructor", "IMAGE/PNG", "image/png; x"]) {
    expect(shownAs({ contentType })).toBe("name");
  }
});

test("a file is on this server or not available", () => {
  expect(fileAddress("/v1/files/a/b?e=1&s=2")).toBe("/v1/files/a/b?e=1&s=2");
  // Whatever origin the address has, only the page's own host is asked.
  for (const origin of ["https://support.example", "http://support.example:8080", "https://[::1]:1", "https://ann@evil.example"]) {
    expect(fileAddress(`${origin}/v1/files/a/b?e=1&s=2`)).toBe("/v1/files/a/b?e=1&s=2");
  }
  for (const url of [
    "javascript:alert(1)",
    "javascript://x/v1/files/a",
    "//evil.example/v1/files/a",
    "data:text/html,x",
    "",
    "/v1/public/contacts",
    "https://evil.example",
    "https:///v1/files/a",
    "https://evil.example//v1/files/a",
    "https://evil.example\\/v1/files/a",
    "https://evil.example/x/v1/files/a",
    "https://evil.example/v1/public/contacts",
    " /v1/files/a",
    "//v1/files/a",
  ]) {
    expect(fileAddress(url)).toBeUndefined();
  }
});

test("an address counts as expired a minute early", () => {
  const url = "/v1/files/a/b?e=1000&s=x";
  expect(ended(url, 939_999)).toBe(false);
  expect(ended(url, 940_001)).toBe(true);
  expect(ended("/v1/files/a/b", 1)).toBe(true);
});

test("a picture keeps its shape and has its space before it is loaded", () => {
  expect(pictureSize({ width: 480, height: 640 })).toEqual({ width: 192, height: 256 });
  expect(pictureSize({ width: 4000, height: 1000 })).toEqual({ width: 320, height: 80 });
  expect(pictureSize({ width: 20, height: 10 })).toEqual({ width: 20, height: 10 });
  expect(pictureSize({ width: 30_000, height: 1 })).toEqual({ width: 320, height: 1 });
  expect(pictureSize({ width: null, height: 5 })).toEqual({});
});

test("sizes are short", () => {
  expect([999, 1000, 999_499, 1_500_000].map(fileSize)).toEqual(["999 B", "1 kB", "999 kB", "1.5 MB"]);
});

test("an id contains its time of creation", () => {
  expect(new Date(madeAt("0193480f-2c4a-7d1e-8f00-3a5b9c2d1e0b")).toISOString()).toBe("2024-11-20T05:32:54.218Z");
});

test("a message takes ten files, not counting failed uploads", () => {
  const files = Array.from({ length: 12 }, (_, n) => n);
  expect(room([], files)).toHaveLength(mostFiles);
  const nine = Array.from({ length: 9 }, (_, n) => uploaded(`${n}`));
  expect(room(nine, files)).toEqual([0]);
  expect(room([...nine, uploaded("a", { fault: "too large" }), uploaded("b")], files)).toEqual([]);
});

test("files keep their order, however they arrive", () => {
  let all: readonly Upload[] = [uploaded("a"), uploaded("b"), uploaded("c")];
  all = changed(all, "c", { file: file("c") });
  all = changed(all, "b", { fault: "too large" });
  all = changed(all, "a", { file: file("a") });
  expect(readyOf(all).map(({ id }) => id)).toEqual(["a", "c"]);
  expect(changed(all, "gone", { share: 1 })).toEqual(all);
});

test("a draft keeps its files for as long as the server does", () => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value), removeItem: (key: string) => kept.delete(key) });
  const made = (hoursAgo: number) =>
    file(
      `${Math.floor(Date.now() - hoursAgo * 3600_000)
        .toString(16)
        .padStart(12, "0")
        .replace(/^(.{8})/, "$1-")}-7000-8000-000000000000`,
    );
  const [young, old] = [made(1), made(24)];
  saveDraft("usr_a", "c", { text: "", note: true, files: [young, old] });
  expect(loadDraft("usr_a", "c")).toEqual({ text: "", note: true, files: [young] });
  saveDraft("usr_a", "c", { text: " ", note: false, files: [] });
  expect(kept.size).toBe(0);
  kept.set("parley.draft.usr_a.c", JSON.stringify({ text: "from before there were files", note: false }));
  expect(loadDraft("usr_a", "c")).toEqual({ text: "from before there were files", note: false, files: [] });
});

test("a draft belongs to its member, and is deleted when that member signs out", () => {
  const kept: Record<string, unknown> = {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => (kept[key] = value),
    removeItem: (key: string) => Reflect.deleteProperty(kept, key),
  };
  vi.stubGlobal("localStorage", kept);
  const written = { text: "he is rude", note: true, files: [] };
  saveDraft("usr_a", "c", written);
  saveDraft("usr_ab", "c", written);
  kept["parley.draft.c"] = "of no member";
  expect(loadDraft("usr_b", "c").text).toBe("");
  dropDrafts("usr_a");
  expect(Object.keys(kept).filter((key) => key.startsWith("parley."))).toEqual(["parley.draft.usr_ab.c"]);
});
