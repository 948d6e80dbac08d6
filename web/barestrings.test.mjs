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
    'const size = wide ? "large" : "small"; const kind = wide && "wide";',
    "const label = full ? texts.full : texts.empty; const shown = <p title={label}>{count.toLocaleString(locale)}</p>;",
    'if (kind === "text") say(texts.kinds[kind]);',
    "<p>{texts.greeting}</p>",
    "<p>{texts.sent(name)} · {clock(at)}</p>",
    '<p className="quiet" id="note" href="/settings" style={{ color: "red" }}>{name}</p>',
    '<Button variant="primary" size={note ? "sm" : "md"}>{texts.send}</Button>',
    "<Kbd>j</Kbd>",
    "<p><code>/v1/public/companies</code> {texts.ends}</p>",
    '<p>{list.map((one) => <i className="dot" key={`row ${one}`} />)}</p>',
    'const kinds = [{ value: "text", label: texts.kinds.text }];',
    'if (event.key === "Escape" && types.includes("Files") && "Notification" in window) send();',
    "throw new Error(`position: ${from} is none`);",
    'throw new ApiError(401, "the session has changed");',
    'headers["Authorization"] = `Bearer ${token}`; request.setRequestHeader("Accept", type);',
    "console.error(`Parley: the chat may not be shown on ${origin}.`);",
    'this.problem(refused ? "The identity was refused" : `The server said: ${text}`);',
    'const phone = matchMedia("(pointer: coarse)").matches || matchMedia("(width < 640px)").matches;',
    'const tag = `<script src="${address}" async></script>`;',
    '<Group id="saved" type="text" rel="noopener noreferrer" onOpen={() => go("inbox")} />',
  ],
  invalid: [
    found('const usual = limit === null ? "none" : limit.toLocaleString(locale);', "none"),
    found('say(open ? "open" : texts.closed); say(name || texts.nobody + "others");', "open", "others"),
    found('say(texts.usually("none"));', "none"),
    found('const usual = given ? "some" : "none"; const input = <input title={usual} />;', "some", "none"),
    found('const what = "nobody"; const shown = <p>{what}</p>;', "nobody"),
    found("<p>Sent</p>", "Sent"),
    found('<p>{sent ? "Sent" : `Not ${what}`}</p>', "Sent", "Not"),
    found('<p>{name || "Nobody"}</p>', "Nobody"),
    found('<input aria-label="Name" placeholder={`Name of ${what}`} />', "Name", "Name of"),
    found('<img alt={named ? name : "A picture"} />', "A picture"),
    found("<p>Ж東</p>", "Ж東"),
    found('const kinds = [{ value: "text", label: "Text" }, { value: "json", label: "JSON" }];', "Text", "JSON"),
    found('const fault = (n) => (n > 1 ? "must be one" : "");', "must be one"),
    found('const days = { today: "Today", long: (n) => `${n} d`, date: (at) => at.toLocaleDateString("en-GB") };', "Today", "d", "en-GB"),
    found('throw new ApiError(0, "The server cannot be reached.");', "The server cannot be reached."),
    found("throw new Error(`Too many attempts. Try again in ${n} min.`, { cause });", "Too many attempts. Try again in min."),
    found('button.setAttribute("aria-label", open ? `Close ${title}` : "Open");', "Close", "Open"),
    found('<Group name="Saved views" entries={[["Created", at]]} onOpen={() => run(start, "Conversation started")} />', "Saved views", "Created", "Conversation started"),
  ],
});
