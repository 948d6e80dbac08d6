import * as Ariakit from "@ariakit/react";
import { Link2, Search } from "lucide-react";
import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { Conversation, SearchPage } from "../api/types";
import { Kbd, useToast } from "../kit";
import palette from "../shell/Palette.module.css";
import { useConversations, useStore } from "../sync";
import css from "./Articles.module.css";
import { inboxName } from "./channel";
import { texts } from "./links.texts";
import { contactName } from "./Row";

interface Choice {
  id: string;
  name: string;
  words: string;
}

/** Finds a conversation, and links this one to it. Without words it offers the others of the contact. */
export function LinkDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const [query, setQuery] = useState("");
  const store = Ariakit.useComboboxStore({ open: true, value: query, setValue: setQuery });
  const live = useStore();
  const toast = useToast();
  const { ids } = useConversations({ contactId: conversation.contact.id });
  const found = useFound(query.trim());
  const others = ids.flatMap((id): Choice[] => {
    const other = live.state.get().conversations.get(id)?.value;
    return other ? [{ id, name: contactName(other.contact), words: other.product?.name ?? inboxName(other.inbox) }] : [];
  });
  const choices = (query.trim() === "" ? others : found).filter(({ id }) => id !== conversation.id).slice(0, 20);
  const link = ({ id, name }: Choice) => {
    onClose();
    api.put(`/v1/dashboard/conversations/${conversation.id}/links/${id}`, {}).then(
      () => toast.done(texts.linked(name)),
      (fault: unknown) => toast.failed(fault),
    );
  };
  return (
    <Ariakit.Dialog open onClose={onClose} backdrop={<div className={palette.backdrop} />} className={palette.palette} aria-label={texts.dialog}>
      <div className={palette.query}>
        <Search size={17} aria-hidden />
        <Ariakit.Combobox store={store} autoSelect="always" autoFocus placeholder={texts.placeholder} aria-label={texts.placeholder} />
      </div>
      <Ariakit.ComboboxList store={store} alwaysVisible className={palette.list} aria-label={query.trim() === "" ? texts.others : texts.list}>
        {choices.map((choice) => (
          <Ariakit.ComboboxItem key={choice.id} className={palette.item} focusOnHover setValueOnClick={false} onClick={() => link(choice)}>
            <Link2 size={16} aria-hidden />
            <span className={palette.text} dir="auto">
              <span>{choice.name}</span>
              <small>{choice.words}</small>
            </span>
          </Ariakit.ComboboxItem>
        ))}
        {choices.length === 0 && <div className={palette.nothing}>{query.trim() === "" ? texts.none : texts.nothing}</div>}
      </Ariakit.ComboboxList>
      <p className={css.keys}>
        <span>
          <Kbd keys="Enter" /> {texts.act}
        </span>
      </p>
    </Ariakit.Dialog>
  );
}

/** The conversations whose messages have the words, each once, a moment after the last key. */
function useFound(query: string): Choice[] {
  const [choices, setChoices] = useState<Choice[]>([]);
  useEffect(() => {
    if (query.length < 2) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      api.get<SearchPage>("/v1/dashboard/search", { q: query.slice(0, 200), kind: "message", limit: 50 }, abort.signal).then(
        (page) => {
          const byId = new Map<string, Choice>();
          for (const hit of page.data)
            if (hit.conversationId && !byId.has(hit.conversationId)) byId.set(hit.conversationId, { id: hit.conversationId, name: hit.title, words: hit.snippet.map(({ text }) => text).join("") });
          setChoices([...byId.values()]);
        },
        () => setChoices([]),
      );
    }, 160);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [query]);
  return query.length < 2 ? [] : choices;
}
