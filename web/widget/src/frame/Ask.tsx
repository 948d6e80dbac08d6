import { useState } from "preact/hooks";
import { faultText } from "./api";
import type { Chat } from "./chat";
import type { Config } from "./types";
import { phrase } from "./language";

/** Asks a visitor for name and address. */
export function Ask({ ask, chat }: { ask: NonNullable<Config["ask"]>; chat: Chat }) {
  const [answer, setAnswer] = useState({ name: "", email: "" });
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  const send = () => {
    setBusy(true);
    setFault("");
    chat.asking
      .say({ name: answer.name.trim(), email: answer.email.trim() })
      .catch((error: unknown) => setFault(faultText(error)))
      .finally(() => setBusy(false));
  };
  const empty = ask.fields.every((field) => answer[field].trim() === "");
  return (
    <form
      class="ask"
      aria-label={phrase("ask.title")}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && !empty) send();
      }}
    >
      <p>{phrase("ask.why")}</p>
      {ask.fields.includes("name") && (
        <label>
          {phrase("ask.name")}
          <input
            type="text"
            name="name"
            autocomplete="name"
            dir="auto"
            required={ask.required}
            maxLength={255}
            value={answer.name}
            onInput={(event) => setAnswer({ ...answer, name: event.currentTarget.value })}
          />
        </label>
      )}
      {ask.fields.includes("email") && (
        <label>
          {phrase("ask.email")}
          <input
            type="email"
            name="email"
            autocomplete="email"
            dir="ltr"
            required={ask.required}
            maxLength={254}
            value={answer.email}
            onInput={(event) => setAnswer({ ...answer, email: event.currentTarget.value })}
          />
        </label>
      )}
      <div class="row">
        <button type="submit" class="choice" disabled={busy || empty}>
          {phrase("ask.send")}
        </button>
        {!ask.required && (
          <button type="button" class="choice" onClick={() => chat.asking.skip()}>
            {phrase("ask.skip")}
          </button>
        )}
      </div>
      {fault !== "" && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </form>
  );
}
