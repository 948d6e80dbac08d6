import { useEffect, useState } from "preact/hooks";
import type { Chat } from "./chat";
import { Find, Page, Remove } from "./icons";
import type { Article } from "./types";
import { counted, phrase } from "./language";

/** The pause after the last key before the search asks the server (ms). */
const searchPause = 300;

/** What the search found: null while it has not answered. */
export interface Found {
  query: string;
  articles: readonly Article[] | null;
  failed: boolean;
}

/** The search of the home page. Answers that come too late are dropped. */
export function useSearch(chat: Chat): [Found, (query: string) => void] {
  const [query, setQuery] = useState(chat.library.query);
  const [answer, setAnswer] = useState<Omit<Found, "query">>({ articles: null, failed: false });
  const asked = query.trim();
  useEffect(() => {
    setAnswer((old) => (asked === "" ? { articles: null, failed: false } : old));
    if (asked === "") return;
    let late = false;
    const timer = setTimeout(() => {
      chat.library.search(asked).then(
        (articles) => !late && setAnswer({ articles, failed: false }),
        () => !late && setAnswer({ articles: null, failed: true }),
      );
    }, searchPause);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [chat, asked]);
  const change = (next: string) => {
    chat.library.query = next;
    setQuery(next);
  };
  return [{ query, ...answer }, change];
}

export function Search({ chat, found, onQuery }: { chat: Chat; found: Found; onQuery: (query: string) => void }) {
  const { query, articles, failed } = found;
  const status = failed ? phrase("articles.failed") : articles === null ? "" : articles.length === 0 ? phrase("articles.nothing") : counted("articles.found", articles.length);
  return (
    <search class="find">
      <div class="field">
        <Find />
        <input
          type="text"
          inputMode="search"
          enterkeyhint="search"
          aria-label={phrase("articles.search")}
          placeholder={phrase("articles.search")}
          autocomplete="off"
          maxLength={200}
          dir={found.query === "" ? undefined : "auto"}
          value={query}
          onInput={(event) => onQuery(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || query === "") return;
            event.preventDefault(); // or the chat would close
            onQuery("");
          }}
        />
        {query !== "" && (
          <button type="button" class="icon small" aria-label={phrase("articles.clear")} onClick={() => onQuery("")}>
            <Remove />
          </button>
        )}
      </div>
      <p role="status" class={failed || articles?.length === 0 ? "none" : "hidden"}>
        {query.trim() === "" ? "" : status}
      </p>
      {query.trim() !== "" && articles && <Articles chat={chat} articles={articles} />}
    </search>
  );
}

/** The articles that readers open most. */
export function Popular({ chat }: { chat: Chat }) {
  const [articles, setArticles] = useState<readonly Article[]>([]);
  useEffect(() => {
    let gone = false;
    void chat.library.popular().then((list) => !gone && setArticles(list));
    return () => void (gone = true);
  }, [chat]);
  if (articles.length === 0) return null;
  return (
    <>
      <h2>{phrase("articles.popular")}</h2>
      <Articles chat={chat} articles={articles} />
    </>
  );
}

export function Articles({ chat, articles }: { chat: Chat; articles: readonly Article[] }) {
  return (
    <ul class="articles">
      {articles.map(({ id, slug, language, title, description }) => (
        <li key={id}>
          <button type="button" class="row" lang={language} onClick={() => chat.library.open(slug, language)}>
            <Page />
            <span dir="auto">
              <strong>{title}</strong>
              {description !== "" && <small>{description}</small>}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
