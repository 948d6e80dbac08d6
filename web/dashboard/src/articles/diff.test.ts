import { expect, test } from "vitest";
import { diffLines, nearChanges } from "./diff";

const shown = (before: string, after: string) => diffLines(before, after).map(({ kind, text }) => `${{ same: " ", gone: "-", new: "+" }[kind]}${text}`);

test("lines are the same, gone or new", () => {
  expect(shown("a\nb\nc", "a\nc\nd")).toEqual([" a", "-b", " c", "+d"]);
  expect(shown("", "x")).toEqual(["-", "+x"]);
  expect(shown("same", "same")).toEqual([" same"]);
  expect(shown("a\nb\nc\na\nb\nb\na", "c\nb\na\nb\na\nc").filter((line) => line.startsWith(" "))).toHaveLength(4);
});

test("both texts can be read from the lines, whatever they are", () => {
  let seed = 7;
  const next = (below: number) => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 300; round++) {
    const text = () => Array.from({ length: next(12) }, () => "abcd"[next(4)]).join("\n");
    const [before, after] = [text(), text()];
    const lines = diffLines(before, after);
    const side = (other: string) =>
      lines
        .filter(({ kind }) => kind !== other)
        .map((line) => line.text)
        .join("\n");
    expect([side("new"), side("gone")]).toEqual([before, after]);
  }
});

test("texts that have nothing in common are replaced, in little time", () => {
  const long = (letter: string) => Array.from({ length: 20_000 }, (_, n) => `${letter}${n}`).join("\n");
  expect(diffLines(long("a"), long("b"))).toHaveLength(40_000);
});

test("unchanged lines far from a change are left out", () => {
  const lines = diffLines("1\n2\n3\n4\n5\n6\n7\n8\n9", "1\n2\n3\n4\nfive\n6\n7\n8\n9");
  expect(nearChanges(lines).map((line) => line?.text ?? "…")).toEqual(["…", "3", "4", "5", "five", "6", "7", "…"]);
});
