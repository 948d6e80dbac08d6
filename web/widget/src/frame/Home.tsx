import type { Chat } from "./chat";
import { useReplyLine } from "./hours";
import { Next, Write } from "./icons";
import { Controls, Face, Faces } from "./parts";
import { Popular, Search, useSearch } from "./Search";
import type { State } from "./state";
import type { Config, Conversation } from "./types";
import { useArrival } from "./useArrival";
import { ago } from "./words";
import { counted, number, phrase } from "./language";

/** The search for articles, the past conversations, and a button to start a new one. */
export function Home({ chat, state, config }: { chat: Chat; state: State; config: Config }) {
  const title = useArrival<HTMLHeadingElement>(state.open);
  const [found, setQuery] = useSearch(chat);
  const reply = useReplyLine(config);
  const searching = config.articles && found.query.trim() !== "";
  return (
    <>
      <header class="hero">
        <div class="top">
          <Faces team={config.team} />
          <Controls chat={chat} state={state} />
        </div>
        <h1 ref={title} tabIndex={-1}>
          <bdi>{config.title || config.name}</bdi>
        </h1>
        {config.greeting !== "" && (
          <p class="greeting">
            <bdi>{config.greeting}</bdi>
          </p>
        )}
      </header>
      <div class="home">
        {config.articles && <Search chat={chat} found={found} onQuery={setQuery} />}
        <button type="button" class="begin" onClick={() => chat.conversations.show({ name: "thread", id: null })}>
          <Write />
          <span>
            <strong>{phrase("home.write")}</strong>
            {reply !== "" && (
              <small>
                <bdi>{reply}</bdi>
              </small>
            )}
          </span>
          <Next />
        </button>
        {!searching && state.conversations.length > 0 && <h2>{phrase("home.conversations")}</h2>}
        <ul hidden={searching}>
          {state.conversations.map((conversation) => (
            <Row
              key={conversation.id}
              conversation={conversation}
              typing={state.typing[conversation.id]}
              config={config}
              onOpen={() => chat.conversations.show({ name: "thread", id: conversation.id })}
            />
          ))}
        </ul>
        {!searching && state.moreConversations !== "" && (
          <button type="button" class="more" onClick={() => void chat.conversations.loadMore().catch(() => undefined)}>
            {phrase("home.earlier")}
          </button>
        )}
        {config.articles && !searching && <Popular chat={chat} />}
      </div>
    </>
  );
}

function Row({ conversation, typing, config, onOpen }: { conversation: Conversation; typing: string | undefined; config: Config; onOpen: () => void }) {
  const { lastMessage: last, unreadCount, status } = conversation;
  const who = last?.from === "team" ? last.sender : (config.team[0] ?? { name: config.name, image: "" });
  const text = last ? last.content || (last.attachments[0]?.fileName ?? "") : "";
  return (
    <li>
      <button type="button" class="row" onClick={onOpen}>
        <Face person={who} />
        <span class="what">
          <span class="line">
            <strong>
              <bdi>{last?.from === "team" ? last.sender.name : phrase("you")}</bdi>
            </strong>
            <time dateTime={conversation.lastActivityAt}>{ago(conversation.lastActivityAt)}</time>
          </span>
          <span class="line">
            <span class="last" dir="auto">
              {typing !== undefined ? phrase("writing", { name: typing }) : text}
            </span>
            {unreadCount > 0 ? (
              <span class="count">
                <span aria-hidden="true">{number(unreadCount)}</span>
                <span class="hidden">{counted("unread", unreadCount)}</span>
              </span>
            ) : (
              status === "resolved" && <small class="done">{phrase("home.resolved")}</small>
            )}
          </span>
        </span>
      </button>
    </li>
  );
}
