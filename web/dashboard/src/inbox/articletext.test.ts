import { expect, test } from "vitest";
import { plainOf } from "./articletext";

test("an article becomes a text that reads like a message", () => {
  const markdown = `# Steps

1. Open **Account > Orders**.
2. Select *Edit address*, or \`Edit\`.


* See [our terms](https://shop.example/terms) or [the refund](refund#when).
- Write to [us](mailto:help@shop.example).

![A label](/help/pictures/1)
> Mind 2 * 3 = 6.

| Means | When |
|---|:-:|
| Invoice | 14 days |
\`\`\`
  code *a*
\`\`\`
<https://x.example> #5`;
  expect(plainOf(markdown, "https://a.example/help/shop/en/")).toBe(`Steps

1. Open Account > Orders.
2. Select Edit address, or Edit.

- See our terms (https://shop.example/terms) or the refund (https://a.example/help/shop/en/refund#when).
- Write to us.

Mind 2 * 3 = 6.

Means – When
Invoice – 14 days
  code *a*
<https://x.example> #5`);
});

test("without a help center, links to other articles are names", () => {
  expect(plainOf("See [the refund](refund).", "")).toBe("See the refund.");
});
