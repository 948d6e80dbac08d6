import { ExternalLink, Link2, TextQuote } from "lucide-react";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import type { ArticleHit } from "../api/knowledge";
import type { Conversation } from "../api/types";
import { publicPath } from "../articles/languages";
import { IconButton, useToast } from "../kit";
import { linkText, useAnswers, useCenterOf, wholeText } from "./answers";
import css from "./Articles.module.css";
import styles from "./Contact.module.css";
import { useInsert } from "./inserts";
import { useLastQuestion } from "./question";
import { texts } from "./texts";

/** How long a question stands before articles are looked for, so that moving through the list asks nothing. */
const pause = 400;

/** Articles that probably answer what the customer wrote last, and those drafted from the conversation; nothing if there are none. */
export function FittingArticles({ conversation }: { conversation: Conversation }) {
  const askedIn = useLastQuestion(conversation.id);
  const { hits, drafted } = useAnswers({ conversationId: conversation.id, words: "", askedIn: conversation.spam ? "" : askedIn, language: "", limit: 3 }, pause);
  const likely = hits.filter((hit) => hit.likely);
  return (
    <>
      {likely.length > 0 && <Fitting conversation={conversation} hits={likely} />}
      {drafted.length > 0 && (
        <section className={styles.part} aria-label={texts.fitting.drafted}>
          <h3>{texts.fitting.drafted}</h3>
          <ul>
            {drafted.map(({ id, language, title }) => (
              <li key={id}>
                <Link href={`/articles/${id}/${language}`} dir="auto">
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Fitting({ conversation, hits }: { conversation: Conversation; hits: readonly ArticleHit[] }) {
  const center = useCenterOf(conversation);
  const insert = useInsert();
  const toast = useToast();
  const reading = useRef<AbortController>(null);
  useEffect(() => () => reading.current?.abort(), []);
  const whole = (hit: ArticleHit) => {
    reading.current?.abort();
    const own = (reading.current = new AbortController());
    wholeText(hit, center, own.signal).then(insert, (fault: unknown) => own.signal.aborted || toast.failed(fault));
  };
  return (
    <section className={styles.part} aria-label={texts.fitting.title}>
      <h3>{texts.fitting.title}</h3>
      <ul className={css.fitting}>
        {hits.map((hit) => {
          const link = linkText(hit, center);
          return (
            <li key={hit.id}>
              <span className={css.fittingText} dir="auto">
                <strong>{hit.title}</strong>
                {hit.description && <small>{hit.description}</small>}
              </span>
              <span className={css.fittingActions}>
                {link !== null && <IconButton size="sm" label={texts.fitting.insertLink(hit.title)} icon={<Link2 size={15} />} onClick={() => insert(link)} />}
                <IconButton size="sm" label={texts.fitting.insertText(hit.title)} icon={<TextQuote size={15} />} onClick={() => whole(hit)} />
                {center && (
                  <a href={publicPath(center, hit.language, hit.slug)} target="_blank" rel="noopener" aria-label={texts.fitting.open(hit.title)}>
                    <ExternalLink size={15} aria-hidden />
                  </a>
                )}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
