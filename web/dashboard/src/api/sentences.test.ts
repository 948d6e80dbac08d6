import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ApiError, errorText } from "./client";
import { fieldText } from "./sentences";

test.each([
  [400, "inboxId: must be a UUID", "invalid; field=inboxId", "The inbox cannot be used."],
  [400, "contactId: must be given; inboxId: must be a UUID", 'invalid; field="contactId,inboxId"', "The contact must be given. The inbox cannot be used."],
  [413, "file: must be at most 26214400 bytes", "too_large; field=file", "The file or text is too large."],
  [400, "name: must be a string of 1 to 100 characters, not blank", "invalid; field=name", "The name must be 1 to 100 characters, not blank."],
  [400, "shopName: must be a string of at most 255 characters, or null", "invalid; field=shopName", "The shop must have at most 255 characters."],
  [400, "someThing: must be odd", "invalid; field=someThing", "One of the values must be odd."],
  [400, "labels: must be an array of 1 to 7 items; item 1 must be one of a, b", "invalid; field=labels", "The labels cannot be used."],
  [404, "contactId: no such contact in this workspace", "not_found; field=contactId", "The contact cannot be found any more."],
  [404, "no such conversation", "not_found", "It no longer exists."],
  [403, "the API key lacks a scope; this operation needs conversations:read", "forbidden", "You are not allowed to do this."],
  [409, "this is the last owner", "conflict", "This is the last owner."],
  [409, "email: must not belong to another contact; it belongs to x", "conflict; field=email; id=x", "Another contact has this e-mail address."],
  [409, "the contact x stands for a group", "conflict; id=x", "It has changed in the meantime. Reload the page and try again."],
  [409, "Idempotency-Key: still runs", "in_progress; field=Idempotency-Key", "This is being done already. Reload the page in a moment."],
  [413, "", "", "The file or text is too large."],
  [500, "", "", "The server has a problem. Try again in a moment."],
  [503, "the store is away: dial tcp 10.0.0.1", "unavailable", "The server has a problem. Try again in a moment."],
  [418, "", "", "This did not work. Reload the page and try again."],
])("%i %s", (status, message, header, said) => {
  expect(errorText(new ApiError(status, message, header))).toBe(said);
});

test("a waiting time is written in words", () => {
  expect(errorText(new ApiError(429, "too many", "limited", 30))).toBe("Too many requests. Try again in 30 seconds.");
  expect(errorText(new ApiError(429, "too many", "limited", 600))).toBe("Too many requests. Try again in 10 minutes.");
});

test("a rule below its field is written for people", () => {
  const refused = new ApiError(400, "inboxId: must be a UUID; days: must be 1 to 60 characters; email: must be well", 'invalid; field="inboxId,days,email"');
  expect(["inboxId", "days", "email", "other"].map((name) => fieldText(refused, name))).toEqual([
    "This value cannot be used.",
    "Must be 1 to 60 characters.",
    "Enter a valid e-mail address.",
    undefined,
  ]);
});

/** Every error message of the server; see TestRefusalsGolden. */
const refusals = JSON.parse(readFileSync(join(import.meta.dirname, "../../../../internal/dashboard/testdata/refusals.json"), "utf8")) as {
  code: string;
  field: string;
  message: string;
  others: boolean;
}[];
const statuses: Readonly<Record<string, number>> = { invalid: 400, unauthenticated: 401, forbidden: 403, not_found: 404, conflict: 409, gone: 410, too_large: 413, limited: 429, unavailable: 503 };

/** The texts that members read for each message. A rule for any field is read for a plural and for a field without a name. */
function* saidByAll(): Generator<[refusal: string, whole: string, below: string | undefined]> {
  for (const { code, field, message, others } of refusals) {
    for (const name of field === "*" ? ["labels", "nameless"] : [field]) {
      const about = name === "" ? "" : `; field=${name}`;
      const error = new ApiError(statuses[code] ?? 422, name === "" ? message : `${name}: ${message}`, code + about + (others ? "; id=01a14907-9f10-7000-80c2-3f0c61a2b7d1" : ""));
      yield [`${code}${about}${others ? "; id=" : ""} | ${message}`, errorText(error), fieldText(error, name)];
    }
  }
}

test("members read sentences for all errors of the server", () => {
  const wrong = [...saidByAll()].filter(([, whole, below]) =>
    [whole, below ?? "Well."].some(
      (text) =>
        !/^[A-Z][^\n]*[a-z0-9)][.?]$/.test(text) || /[a-z][A-Z]|\b[a-z]+_[a-z]+\b|\b(?:UUID|JSON|UTF-8|bytes|array|string|object|null|no such)\b/.test(text) || /^The \w+s (?:is|was|has)\b/.test(text),
    ),
  );
  expect(wrong).toEqual([]);
});

test("a changed message of the server changes the golden file", async () => {
  const lines = [...saidByAll()].map(([refusal, whole, below]) => `${refusal}\n  ${whole}${below === undefined || below === whole ? "" : `\n  ${below}`}\n`);
  await expect(lines.join("")).toMatchFileSnapshot("sentences.golden.txt");
});
