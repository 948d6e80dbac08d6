import { Fragment } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { ToPerson, Writing } from "./Agent";
import { Ask } from "./Ask";
import { Bubble, PendingBubble, PlainBubble } from "./Bubble";
import type { Chat } from "./chat";
import { Composer } from "./Composer";
import { useReplyLine } from "./hours";
import { Back } from "./icons";
import { OrPlain } from "./OrPlain";
import { Controls, Face, Faces } from "./parts";
import { answerOf, emptyLog, pendingOf, type State } from "./state";
import type { Config, Message, Person } from "./types";
import { listed, phrase } from "./language";
import { day, midnight } from "./words";

interface Props {
  chat: Chat;
  state: State;
  config: Config;
  /** null before the first message. */
  id: string | null;
}

/** One conversation, or the start of one. */
export function Thread({ chat, state, config, id }: Props) {
  const log = id === null ? { ...emptyLog, loaded: true } : (state.threads[id] ?? emptyLog);
  const pending = pendingOf(state, id);
  const begins = id === null && pending.length === 0;
  const ask = chat.asking.of(id);
  const typing = id === null ? undefined : state.typing[id];
  const answerer = log.messages.findLast((message) => message.from === "team")?.sender;
  useEffect(() => {
    chat.library.query = ""; // the search is over
  }, [chat]);
  useEffect(() => {
    if (id !== null && state.line !== "idle" && !state.threads[id]) void chat.conversations.load(id);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- with each other conversation; what comes to it later, the stream tells
  }, [id]);
  return (
    <>
      <Head chat={chat} state={state} config={config} answerer={answerer} hero={begins && state.conversations.length === 0 && !config.articles} />
      <Line state={state} />
      <Log key={id ?? "new"} {...{ chat, state, config, id, log, pending, typing }} />
      <ToPerson conversation={state.conversations.find((one) => one.id === id)} chat={chat} />
      {ask && <Ask ask={ask} chat={chat} />}
      {!chat.asking.holds(id) && <Composer key={`to ${id ?? "new"}`} chat={chat} id={id} open={state.open} />}
    </>
  );
}

function Head({ chat, state, config, answerer, hero }: { chat: Chat; state: State; config: Config; answerer: Person | undefined; hero: boolean }) {
  const title = config.title || config.name;
  const reply = useReplyLine(config);
  if (hero) {
    return (
      <header class="hero">
        <div class="top">
          <Faces team={config.team} />
          <Controls chat={chat} state={state} />
        </div>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {reply !== "" && (
          <p class="reply">
            <bdi>{reply}</bdi>
          </p>
        )}
      </header>
    );
  }
  const names = config.team.map(({ name }) => name.split(/\s+/)[0] ?? name);
  return (
    <header class="bar">
      {!chat.returned && (state.conversations.length > 0 || config.articles) && (
        <button type="button" class="icon" aria-label={state.conversations.length > 0 ? phrase("thread.all") : phrase("articles.start")} onClick={() => chat.conversations.show({ name: "home" })}>
          <Back />
        </button>
      )}
      {answerer && <Face person={answerer} />}
      <div class="who">
        <h1 dir="auto">{answerer?.name ?? title}</h1>
        <p dir="auto">{answerer ? title : reply || (names.length > 0 && phrase("thread.answerers", { names: listed(names) }))}</p>
      </div>
      <Controls chat={chat} state={state} />
    </header>
  );
}

/** Says unobtrusively that the connection is lost. */
function Line({ state: { line } }: { state: State }) {
  const text = line === "offline" ? phrase("thread.offline") : line === "waiting" ? phrase("thread.connecting") : "";
  return (
    <div role="status" class="state" data-shown={text !== ""}>
      {text}
    </div>
  );
}

interface LogProps extends Props {
  log: typeof emptyLog;
  pending: ReturnType<typeof pendingOf>;
  typing: string | undefined;
}

function Log({ chat, state, config, id, log, pending, typing }: LogProps) {
  const box = useRef<HTMLDivElement>(null);
  const pinned = useRef(true);
  const height = useRef(0);
  const oldest = log.messages[0]?.id;
  const shown = useRef(oldest);
  const answer = answerOf(state, id);
  const answering = state.conversations.find((one) => one.id === id)?.agent === "answering";
  // If the end was in view, new messages keep it in view. Older messages that
  // are inserted above keep the visible ones in place.
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    if (pinned.current) element.scrollTop = element.scrollHeight;
    else if (shown.current !== oldest) element.scrollTop += element.scrollHeight - height.current;
    shown.current = oldest;
    height.current = element.scrollHeight;
  });
  const onScroll = () => {
    const element = box.current;
    if (!element) return;
    pinned.current = element.scrollHeight - element.scrollTop - element.clientHeight < 60;
  };
  const repin = () => {
    if (pinned.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  };
  return (
    <div class="log" ref={box} onScroll={onScroll} onLoadCapture={repin} tabIndex={0} role="log" aria-label={phrase("thread.messages")} aria-busy={!log.loaded}>
      {id !== null && log.older !== "" && (
        <button type="button" class="more" onClick={() => void chat.conversations.load(id, true)}>
          {phrase("thread.earlier")}
        </button>
      )}
      {log.fault !== "" && (
        <p class="fault" role="alert">
          {log.fault}{" "}
          <button type="button" onClick={() => id !== null && void chat.conversations.load(id)}>
            {phrase("again")}
          </button>
        </p>
      )}
      {log.older === "" && (id === null || log.loaded) && config.greeting !== "" && <Greeting config={config} />}
      {!log.loaded && log.fault === "" && <p class="loading">{phrase("loading")}</p>}
      {log.messages.map((message, index) => (
        <Fragment key={message.id}>
          {isNewDay(log.messages[index - 1], message) && <p class="day">{day(message.createdAt)}</p>}
          <OrPlain plain={<PlainBubble message={message} />}>
            <Bubble
              message={message}
              chat={chat}
              joined={follows(log.messages[index - 1], message)}
              last={!follows(message, log.messages[index + 1])}
              onBroken={() => id !== null && void chat.conversations.load(id)}
            />
          </OrPlain>
        </Fragment>
      ))}
      {pending.map((one) => (
        <OrPlain key={one.key} plain={<PlainBubble message={{ from: "customer", content: one.content }} />}>
          <PendingBubble pending={one} chat={chat} line={state.line} />
        </OrPlain>
      ))}
      {answer !== "" && <Writing text={answer} />}
      {answer === "" && (typing !== undefined || answering) && (
        <p class="typing">
          <span class="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <span class="hidden">{phrase("writing", { name: typing || phrase("somebody") })}</span>
        </p>
      )}
    </div>
  );
}

function Greeting({ config }: { config: Config }) {
  const person = config.team[0] ?? { name: config.name, image: "" };
  return (
    <div class="message team">
      <Face person={person} />
      <div class="column">
        <div class="bubble" dir="auto">
          {config.greeting}
        </div>
      </div>
    </div>
  );
}

function isNewDay(before: Message | undefined, message: Message): boolean {
  return !before || midnight(new Date(before.createdAt)) !== midnight(new Date(message.createdAt));
}

/** Whether a message is shown close below another: from the same sender, within five minutes. */
function follows(before: Message | undefined, message: Message | undefined): boolean {
  if (!before || !message || isNewDay(before, message)) return false;
  return before.from === message.from && before.sender.name === message.sender.name && Date.parse(message.createdAt) - Date.parse(before.createdAt) < 300_000;
}
