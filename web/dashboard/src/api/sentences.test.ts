import { expect, test } from "vitest";
import { ApiError, errorText } from "./client";
import { ruleText } from "./sentences";

test.each([
  [400, "inboxId: must be a UUID", "The inbox is not valid."],
  [400, "contactId: must be given; inboxId: must be a UUID", "The contact is missing. The inbox is not valid."],
  [400, "file: must be at most 26214400 bytes", "The file must not be larger than 25 MB."],
  [400, "name: must be 1 to 255 characters", "The name must be 1 to 255 characters."],
  [400, "someThing: must be odd", "One of the values must be odd."],
  [400, "labels: must be an array of 1 to 7 items; item 1 must be one of a, b", "The labels is not valid."],
  [404, "contactId: no such contact in this workspace", "It no longer exists."],
  [404, "no such conversation", "No such conversation."],
  [403, "the API key lacks a scope; this operation needs conversations:read", "You are not allowed to do this."],
  [409, "this is the last owner", "This is the last owner."],
  [409, "intoId: must be another contact", "The contact must be another contact."],
  [413, "", "The file or text is too large."],
  [500, "", "The server has a problem. Try again in a moment."],
  [503, "the store is away: dial tcp 10.0.0.1", "The server has a problem. Try again in a moment."],
  [418, "", "This did not work. Reload the page and try again."],
])("%i %s", (status, message, said) => {
  expect(errorText(new ApiError(status, message))).toBe(said);
});

test("a waiting time is written in words", () => {
  expect(errorText(new ApiError(429, "too many", 30))).toBe("Too many requests. Try again in 30 seconds.");
  expect(errorText(new ApiError(429, "too many", 600))).toBe("Too many requests. Try again in 10 minutes.");
});

test("a rule below its field is written for people", () => {
  expect(ruleText("must be a UUID")).toBe("is not valid");
  expect(ruleText("must be 1 to 60 characters")).toBe("must be 1 to 60 characters");
});
