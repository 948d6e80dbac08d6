import * as Ariakit from "@ariakit/react";
import { BookOpen, Search } from "lucide-react";
import { useEffect, useEffectEvent, useState, type KeyboardEvent } from "react";
import type { ArticleHit } from "../api/knowledge";
import type { Conversation } from "../api/types";
import { errorText } from "../api/client";
import { languageName } from "../articles/languages";
import { Kbd, Segmented, SelectField, useToast } from "../kit";
import palette from "../shell/Palette.module.css";
import { linkText, useAnswers, useCenterOf, wholeText } from "./answers";
import css from "./Articles.module.css";
import { useLastQuestion } from "./question";
import { texts } from "./texts";

interface Props {
  conversation: Conversation;
  onInsert: (text: string) => void;
  onClose: () => void;
}

/** How long the words stand before they are looked for, in milliseconds. */
const pause = 160;

/** What an article leaves in the message. */
type Part = "link" | "text";

/** Finds a published article and puts its link (Enter) or its text (Alt+Enter) into the message. */
export function ArticleFinder({ conversation, onInsert, onClose }: Props) {
  const toast = useToast();
  const [query, setQuery] = useState("");
  const [chosen, setLanguage] = useState("");
  // What a tap or Enter inserts, if there is no key to hold.
  const [tapped, setTapped] = useState<Part>("link");
  // Enter came before the articles.
  const [wanted, setWanted] = useState<Part | null>(null);
  const askedIn = useLastQuestion(conversation.id);
  const center = useCenterOf(conversation);
  const store = Ariakit.useComboboxStore({ open: true, value: query, setValue: setQuery });
  const { hits, language, busy, error } = useAnswers({ conversationId: conversation.id, words: query, askedIn, language: chosen, limit: 8 }, query === "" ? 0 : pause);
  const insert = async (hit: ArticleHit, part: Part) => {
    try {
      onInsert((part === "link" ? linkText(hit, center) : null) ?? (await wholeText(hit, center)));
      onClose();
    } catch (fault) {
      toast.failed(fault);
    }
  };
  const arrived = useEffectEvent(() => {
    const [first] = hits;
    if (wanted && first) void insert(first, wanted);
    setWanted(null);
  });
  useEffect(() => {
    if (!busy) arrived();
  }, [busy]);
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || (!event.altKey && !busy)) return;
    event.preventDefault();
    const part = event.altKey ? "text" : tapped;
    if (busy) return setWanted(part);
    const active = hits.find(({ id }) => store.getState().activeId === `article-${id}`) ?? hits[0];
    if (active) void insert(active, part);
  };
  const languages = [...new Set([...(center?.languages ?? []), ...(language ? [language] : [])])];
  const nothing = error !== undefined ? errorText(error) : busy ? texts.finder.searching : query.trim() === "" && askedIn === "" ? texts.finder.typeToSearch : texts.finder.nothing;
  return (
    <Ariakit.Dialog open onClose={onClose} backdrop={<div className={palette.backdrop} />} className={palette.palette} aria-label={texts.finder.title}>
      <div className={palette.query}>
        <Search size={17} aria-hidden />
        <Ariakit.Combobox
          store={store}
          autoSelect="always"
          autoFocus
          placeholder={texts.finder.placeholder}
          aria-label={texts.finder.placeholder}
          onKeyDownCapture={key}
          onChange={() => setWanted(null)}
        />
        {languages.length > 1 && (
          <SelectField label={texts.finder.language} hideLabel value={language} options={languages.map((value) => ({ value, label: languageName(value) }))} onChange={setLanguage} />
        )}
      </div>
      <Ariakit.ComboboxList store={store} alwaysVisible className={palette.list} aria-label={texts.finder.articles} aria-busy={busy}>
        {hits.length > 0 && <div className={palette.heading}>{query.trim() === "" ? texts.finder.forTheQuestion : texts.finder.found}</div>}
        {hits.map((hit) => (
          <Ariakit.ComboboxItem
            key={hit.id}
            id={`article-${hit.id}`}
            className={palette.item}
            focusOnHover
            setValueOnClick={false}
            onClick={(event) => void insert(hit, event.altKey ? "text" : tapped)}
          >
            <BookOpen size={16} aria-hidden />
            <span className={palette.text} dir="auto">
              <span>{hit.title}</span>
              {hit.description && <span className={palette.snippet}>{hit.description}</span>}
            </span>
            {hit.likely && <span className={css.likely}>{texts.finder.likely}</span>}
          </Ariakit.ComboboxItem>
        ))}
        {hits.length === 0 && <div className={palette.nothing}>{nothing}</div>}
      </Ariakit.ComboboxList>
      {center && (
        <div className={css.parts}>
          <Segmented
            label={texts.finder.insert}
            options={[
              { value: "link", label: texts.finder.link },
              { value: "text", label: texts.finder.text },
            ]}
            value={tapped}
            onChange={setTapped}
          />
        </div>
      )}
      <p className={css.keys}>
        {center && (
          <span>
            <Kbd keys="Enter" /> {texts.finder.insertLink}
          </span>
        )}
        <span>
          <Kbd keys={center ? "Alt+Enter" : "Enter"} /> {texts.finder.insertText}
        </span>
      </p>
    </Ariakit.Dialog>
  );
}
