import { expect, test } from "vitest";
import { OrPlain } from "./OrPlain";

test("a value that cannot be rendered is plain until the value changes", () => {
  const item = new OrPlain({ of: 1, plain: "plain", children: "drawn" });
  expect(item.render()).toBe("drawn");
  item.state = { ...item.state, ...OrPlain.getDerivedStateFromError() };
  expect(OrPlain.getDerivedStateFromProps(item.props, item.state)).toBeNull();
  expect(item.render()).toBe("plain");
  const next = { ...item.props, of: 2 };
  expect(OrPlain.getDerivedStateFromProps(next, item.state)).toEqual({ failed: false, of: 2 });
});
