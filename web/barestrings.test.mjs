import { describe, it } from "node:test";
import { RuleTester } from "eslint";
import tseslint from "typescript-eslint";
import bareStrings from "./barestrings.mjs";

RuleTester.describe = describe;
RuleTester.it = it;
const tester = new RuleTester({ languageOptions: { parser: tseslint.parser, parserOptions: { ecmaFeatures: { jsx: true } } } });

const found = (code, ...texts) => ({ code, errors: texts.map((text) => ({ messageId: "bare", data: { text } })) });

tester.run("bare-strings", bareStrings, {
  valid: [
    "<p>{texts.greeting}</p>",
    "<p>{texts.sent(name)} · {clock(at)}</p>",
    '<p className="quiet" id="note" href="/settings" style={{ color: "red" }}>{name}</p>',
    '<Button variant="primary" size={note ? "sm" : "md"}>{texts.send}</Button>',
    "<Kbd>j</Kbd>",
    "<p><code>/v1/public/companies</code> {texts.ends}</p>",
    '<p>{list.map((one) => <i className="dot" key={`row ${one}`} />)}</p>',
  ],
  invalid: [
    found("<p>Sent</p>", "Sent"),
    found('<p>{sent ? "Sent" : `Not ${what}`}</p>', "Sent", "Not"),
    found('<p>{name || "Nobody"}</p>', "Nobody"),
    found('<input aria-label="Name" placeholder={`Name of ${what}`} />', "Name", "Name of"),
    found('<img alt={named ? name : "A picture"} />', "A picture"),
    found("<p>Ж東</p>", "Ж東"),
  ],
});
