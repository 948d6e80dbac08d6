import { expect, test } from "vitest";
import { OrPlain } from "./OrPlain";

test("what cannot be drawn is plain until something else is to be drawn", () => {
  const item = new OrPlain({ of: 1, plain: "plain", children: "drawn" });
  expect(item.render()).toBe("drawn");
  item.state = { ...item.state, ...OrPlain.getDerivedStateFromError() };
  expect(OrPlain.getDerivedStateFromProps(item.props, item.state)).toBeNull();
  expect(item.render()).toBe("plain");
  const next = { ...item.props, of: 2 };
  expect(OrPlain.getDerivedStateFromProps(next, item.state)).toEqual({ failed: false, of: 2 });
});
