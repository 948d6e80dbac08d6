// What the customer sees of the automated agent.
import { useState } from "preact/hooks";
import type { Chat } from "./chat";
import type { Conversation, Message } from "./types";
import { phrase } from "./language";

/** An answer that is being written, sentence by sentence; the message replaces it. */
export function Writing({ text }: { text: string }) {
  return (
    <article class="message team" aria-label={phrase("agent.label")} aria-busy>
      <div class="side" />
      <div class="column">
        <div class="bubble" dir="auto">
          {text}
        </div>
        <span class="foot">{phrase("agent.writing")}</span>
      </div>
    </article>
  );
}

/** The articles below an answer of the agent, and whether it helped. */
export function Sources({ message, chat }: { message: Message; chat: Chat }) {
  const { busy, fault, run } = useOnce();
  const { agent } = message;
  if (!agent) return null;
  const answers = agent.kind === "answer" || agent.kind === "cards";
  return (
    <>
      {agent.sources.length > 0 && (
        <div class="sources">
          <span class="foot">{phrase("agent.sources")}</span>
          <ul>
            {agent.sources.map(({ articleId, title, url }) => (
              <li key={articleId}>
                {!url.startsWith("/help/") ? (
                  title
                ) : (
                  <a href={url} target="_blank" rel="noopener noreferrer">
                    {title}
                  </a>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {answers && !agent.helped && (
        <button type="button" class="choice" disabled={busy} onClick={() => run(() => chat.conversations.helped(message))}>
          {phrase("agent.helped")}
        </button>
      )}
      {agent.helped && <span class="foot">{phrase("agent.thanks")}</span>}
      {fault && (
        <span class="foot fault" role="alert">
          {phrase("agent.failed")}
        </span>
      )}
    </>
  );
}

/** The way to a person while the agent has the conversation, or the word that one will answer. */
export function ToPerson({ conversation, chat }: { conversation: Conversation | undefined; chat: Chat }) {
  const { busy, fault, run } = useOnce();
  const agent = conversation?.agent;
  return (
    <div class="person" role="status">
      {agent === "handed_over" && phrase("agent.waiting")}
      {conversation && (agent === "answering" || agent === "waiting") && (
        <button type="button" class="choice" disabled={busy} onClick={() => run(() => chat.conversations.askForPerson(conversation.id))}>
          {phrase("agent.person")}
        </button>
      )}
      {fault && <span class="fault">{phrase("agent.failed")}</span>}
    </div>
  );
}

/** Runs one request at a time, and says whether the last one failed. */
function useOnce() {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState(false);
  const run = (ask: () => Promise<void>) => {
    setBusy(true);
    setFault(false);
    ask()
      .catch(() => setFault(true))
      .finally(() => setBusy(false));
  };
  return { busy, fault, run };
}
