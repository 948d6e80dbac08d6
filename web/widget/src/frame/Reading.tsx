import { useEffect, useRef, useState } from "preact/hooks";
import type { TargetedMouseEvent } from "preact";
import { ApiError } from "./api";
import type { Chat } from "./chat";
import { useReplyLine } from "./hours";
import { Back, Write } from "./icons";
import { insideOf } from "./inside";
import { Controls } from "./parts";
import type { State, View } from "./state";
import type { ArticleText, Config } from "./types";
import { useArrival } from "./useArrival";
import { phrase } from "./language";

interface Props {
  chat: Chat;
  state: State;
  config: Config;
  view: Extract<View, { name: "article" }>;
}

/** One article. Its HTML was made safe by the server; the page's policy runs no scripts in it. */
export function Reading({ chat, state, config, view }: Props) {
  const { slug, language, part } = view;
  const reply = useReplyLine(config);
  const [article, setArticle] = useState<ArticleText | null>(null);
  const [fault, setFault] = useState("");
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let late = false;
    chat.library.read(slug, language).then(
      (read) => !late && setArticle(read),
      (error: unknown) => !late && setFault(error instanceof ApiError && (error.status === 404 || error.status === 400) ? phrase("articles.gone") : phrase("articles.failed")),
    );
    return () => void (late = true);
  }, [chat, slug, language, tries]);
  return (
    <>
      <header class="bar">
        <button type="button" class="icon" aria-label={phrase("articles.back")} onClick={() => chat.library.back()}>
          <Back />
        </button>
        <div class="who">
          <p class="place">
            <bdi>{config.title || config.name}</bdi>
          </p>
        </div>
        <Controls chat={chat} state={state} />
      </header>
      <div class="reading" tabIndex={0} role="region" aria-label={phrase("articles.help")} aria-busy={!article && fault === ""}>
        {article ? <Text chat={chat} article={article} part={part} open={state.open} /> : fault === "" && <p class="loading">{phrase("loading")}</p>}
        {fault !== "" && (
          <p class="none" role="alert">
            {fault}{" "}
            {fault !== phrase("articles.gone") && (
              <button
                type="button"
                class="again"
                onClick={() => {
                  setFault("");
                  setTries(tries + 1);
                }}
              >
                {phrase("again")}
              </button>
            )}
          </p>
        )}
        {article && <Opinion key={article.id} chat={chat} article={article} />}
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
        </button>
      </div>
    </>
  );
}

function Text({ chat, article, part, open }: { chat: Chat; article: ArticleText; part: string; open: boolean }) {
  const title = useArrival<HTMLHeadingElement>(open);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const link of body.current?.querySelectorAll("a") ?? []) {
      if (insideOf(link)) continue;
      link.target = "_blank";
      link.relList.add("noopener", "noreferrer", "nofollow");
    }
    if (part !== "") find(body.current, part)?.scrollIntoView();
  }, [article, part]);
  const onClick = (event: TargetedMouseEvent<HTMLDivElement>) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const inside = link && insideOf(link);
    if (!inside) return;
    event.preventDefault();
    if (inside.slug === "") find(body.current, inside.part)?.scrollIntoView();
    else chat.library.open(inside.slug, article.language, inside.part);
  };
  return (
    <article lang={article.language} dir="auto">
      <h1 ref={title} tabIndex={-1}>
        {article.title}
      </h1>
      <div ref={body} class="text" onClick={onClick} dangerouslySetInnerHTML={{ __html: article.html }} />
    </article>
  );
}

function find(body: HTMLElement | null, part: string): Element | null {
  return [...(body?.querySelectorAll("[id]") ?? [])].find(({ id }) => id === part) ?? null;
}

function Opinion({ chat, article }: { chat: Chat; article: ArticleText }) {
  const [said, setSaid] = useState("");
  const say = (helped: boolean) => {
    chat.library.rate(article, helped);
    setSaid(helped ? phrase("articles.thanks") : phrase("articles.sorry"));
  };
  return (
    <div class="opinion">
      <p role="status">{said === "" ? phrase("articles.helped") : said}</p>
      {said === "" && (
        <>
          <button type="button" onClick={() => say(true)}>
            {phrase("articles.yes")}
          </button>
          <button type="button" onClick={() => say(false)}>
            {phrase("articles.no")}
          </button>
        </>
      )}
    </div>
  );
}
