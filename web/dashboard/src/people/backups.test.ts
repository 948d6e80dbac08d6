import { expect, test } from "vitest";
import { backupsText } from "./backups";

test.each([
  [{ scheduled: false, unknown: false, newestAt: null, endAt: null }, /^This server makes no backups by itself/],
  [{ scheduled: true, unknown: false, newestAt: null, endAt: null }, /^No scheduled backup contains/],
  [{ scheduled: true, unknown: true, newestAt: null, endAt: null }, /may contain the person\. The server does not know of them/],
  [{ scheduled: true, unknown: false, newestAt: "2026-11-20T12:00:00.000Z", endAt: null }, /until 20 November 2026.* as long as the server keeps them/],
  [{ scheduled: true, unknown: false, newestAt: "2026-11-20T12:00:00.000Z", endAt: "2027-05-20T12:00:00.000Z" }, /until 20 November 2026.* about 20 May 2027\./],
])("%j is told", (backups, says) => {
  expect(backupsText(backups)).toMatch(says);
});
