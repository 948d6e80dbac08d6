import { useEffect, useState } from "preact/hooks";
import type { Chat } from "./chat";
import { Remove } from "./icons";
import { Articles } from "./Search";
import type { Article } from "./types";
import { counted, phrase } from "./language";

/** The pause after the last key before articles are suggested (ms). */
const typingPause = 400;

/**
 * Articles that may answer the first message while it is typed. They are above the field, which stays where it is, and
 * sending does not wait for them.
 */
export function Suggestions({ chat, text }: { chat: Chat; text: string }) {
  const [articles, setArticles] = useState<readonly Article[]>([]);
  const [hidden, setHidden] = useState(chat.library.hidden);
  const typed = text.trim();
  useEffect(() => {
    if (typed === "") setArticles([]);
    if (typed === "" || hidden) return;
    let late = false;
    const timer = setTimeout(() => void chat.library.suggest(typed).then((found) => !late && setArticles(found)), typingPause);
    return () => {
      late = true;
      clearTimeout(timer);
    };
  }, [chat, typed, hidden]);
  const shown = typed === "" || hidden ? [] : articles;
  return (
    <>
      <p role="status" class="hidden">
        {shown.length > 0 && counted("articles.suggestions", shown.length)}
      </p>
      {shown.length > 0 && (
        <section class="suggested" aria-label={phrase("articles.suggested")}>
          <h2>{phrase("articles.suggested")}</h2>
          <button
            type="button"
            class="icon small"
            aria-label={phrase("articles.hide")}
            onClick={() => {
              chat.library.hidden = true;
              setHidden(true);
            }}
          >
            <Remove />
          </button>
          <Articles chat={chat} articles={shown} />
        </section>
      )}
    </>
  );
}
