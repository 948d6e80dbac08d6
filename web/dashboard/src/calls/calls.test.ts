import { expect, test } from "vitest";
import { titleText } from "../kit/title";
import { readChoices } from "../shell/choices";
import { iconAddress } from "./icon";

test("the window shows how many conversations are unread", () => {
  expect(titleText("Inbox", 0)).toBe("Inbox · Parley");
  expect(titleText("Inbox", 3)).toBe("(3) Inbox · Parley");
  expect(titleText("", 1000)).toBe("(99+) Parley");
  expect(iconAddress(0)).toBe("/assets/icon.svg");
  expect(decodeURIComponent(iconAddress(3))).toContain(">3</text>");
  expect(decodeURIComponent(iconAddress(12))).toContain(">9+</text>");
});

test("nobody is alerted before they agree, and the stored setting may be anything", () => {
  const usual = { afterResolve: "next", afterReply: "stay", sound: false, notices: false, undoSend: 0 };
  for (const stored of [null, "", "{", "null", "[]", "1", '{"undoSend":7}', '{"undoSend":"5"}', '{"sound":"yes","afterReply":"away"}']) expect(readChoices(stored)).toEqual(usual);
  expect(readChoices('{"sound":true,"afterReply":"list","extra":1}')).toEqual({ ...usual, sound: true, afterReply: "list" });
});
