import * as Ariakit from "@ariakit/react";
import { History, Scissors, Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { api, ApiError, errorText } from "../api/client";
import type { Conversation, Message, Page } from "../api/types";
import { Button, Dialog, FormError, Kbd, RelativeTime } from "../kit";
import palette from "../shell/Palette.module.css";
import { changeConversation, useStore, type MessageLog } from "../sync";
import { noMessages, previewOf } from "../sync/messages";
import css from "./Articles.module.css";
import { contactName } from "./Row";
import styles from "./Split.module.css";
import { texts } from "./split.texts";
import { splitAt } from "./splitting";
import { inverseOf, useDid } from "./undo";

/** The most messages that move at once. */
const most = 1000;

/** Splits the open conversation: asks from which message on, unless that is known, and then whether it may. */
export function SplitDialog({ conversation, at }: { conversation: Conversation; at: string }) {
  const store = useStore();
  const read = () => store.state.get().messages.get(conversation.id) ?? noMessages;
  const [known, setKnown] = useState(read); // what comes meanwhile does not move the choices
  const first = at ? known.items.find(({ value }) => value.id === at)?.value : undefined;
  const earlier = async () => {
    await store.loadOlder(conversation.id);
    setKnown(read());
  };
  return first ? <Confirm conversation={conversation} log={known} first={first} /> : <Choose log={known} earlier={earlier} />;
}

const close = () => splitAt.set(null);

function Choose({ log, earlier }: { log: MessageLog; earlier: () => Promise<void> }) {
  const [query, setQuery] = useState("");
  const [fault, setFault] = useState("");
  const store = Ariakit.useComboboxStore({ open: true, value: query, setValue: setQuery });
  const words = query.trim().toLocaleLowerCase();
  const choices = log.items
    .slice(log.more ? 0 : 1)
    .reverse()
    .filter(({ value }) => value.content.toLocaleLowerCase().includes(words));
  return (
    <Ariakit.Dialog open onClose={close} backdrop={<div className={palette.backdrop} />} className={palette.palette} aria-label={texts.dialog}>
      <div className={palette.query}>
        <Search size={17} aria-hidden />
        <Ariakit.Combobox store={store} autoSelect="always" autoFocus placeholder={texts.choose} aria-label={texts.choose} />
      </div>
      <Ariakit.ComboboxList store={store} alwaysVisible className={palette.list} aria-label={texts.list}>
        {choices.map(({ value }) => (
          <Ariakit.ComboboxItem key={value.id} className={palette.item} focusOnHover setValueOnClick={false} onClick={() => splitAt.set(value.id)}>
            <Scissors size={16} aria-hidden />
            <span className={palette.text} dir="auto">
              <span>{previewOf(value).preview}</span>
              <small>
                {value.sender.name} · <RelativeTime at={value.createdAt} />
              </small>
            </span>
          </Ariakit.ComboboxItem>
        ))}
        {log.more && (
          <Ariakit.ComboboxItem className={palette.item} focusOnHover setValueOnClick={false} hideOnClick={false} onClick={() => void earlier().catch((error: unknown) => setFault(errorText(error)))}>
            <History size={16} aria-hidden />
            <span className={palette.text}>{texts.earlier}</span>
          </Ariakit.ComboboxItem>
        )}
        {choices.length === 0 && !log.more && <div className={palette.nothing}>{words ? texts.noMatch : texts.none}</div>}
      </Ariakit.ComboboxList>
      <FormError>{fault}</FormError>
      <p className={css.keys}>
        <span>
          <Kbd keys="Enter" /> {texts.act}
        </span>
      </p>
    </Ariakit.Dialog>
  );
}

function Confirm({ conversation, log, first }: { conversation: Conversation; log: MessageLog; first: Message }) {
  const name = contactName(conversation.contact);
  const [count, setCount] = useState(() => (log.later ? null : log.items.filter(({ value }) => value.id >= first.id).length));
  const [fault, setFault] = useState("");
  const [busy, setBusy] = useState(false);
  const split = useSplit(conversation);
  useEffect(() => {
    if (!log.later) return;
    countFrom(conversation.id, first.id).then(setCount, (error: unknown) => setFault(errorText(error)));
  }, [log, conversation.id, first.id]);
  const submit = async () => {
    if (count === null || busy) return;
    setBusy(true);
    setFault("");
    try {
      await split(first.id, count);
      close();
    } catch (error) {
      setFault((error instanceof ApiError && error.code === "conflict" && texts.conflict) || errorText(error));
      setBusy(false);
    }
  };
  const tooMany = count !== null && count > most;
  return (
    <Dialog
      open
      onClose={close}
      title={texts.dialog}
      description={tooMany ? texts.tooMany : count !== null && texts.moves(count, name)}
      onSubmit={tooMany ? undefined : () => void submit()}
      footer={
        <>
          <Button onClick={close}>{texts.cancel}</Button>
          {!tooMany && (
            <Button type="submit" variant="primary" busy={busy || count === null} data-autofocus>
              {texts.action(count ?? 1)}
            </Button>
          )}
        </>
      }
    >
      <blockquote className={styles.first} dir="auto">
        {previewOf(first).preview}
      </blockquote>
      {!tooMany && <p className={styles.rest}>{texts.rest}</p>}
      <FormError>{fault}</FormError>
    </Dialog>
  );
}

/** How many messages a conversation has from one on, up to one more than can be moved. */
async function countFrom(id: string, from: string): Promise<number> {
  let count = 0;
  for (let at: { from: string } | { cursor: string } = { from }; ; ) {
    const page: Page<Message> = await api.get(`/v1/public/conversations/${id}/messages`, { order: "asc", limit: 200, ...at });
    count += page.data.length;
    if (!page.has_more || count > most) return count;
    at = { cursor: page.next_cursor };
  }
}

/** Splits a conversation, opens the new one, and offers to take that back: it is merged into the other again. */
function useSplit(conversation: Conversation): (messageId: string, count: number) => Promise<void> {
  const store = useStore();
  const did = useDid();
  const [, navigate] = useLocation();
  const search = useSearch();
  return async (messageId, count) => {
    const before = store.state.get().conversations.get(conversation.id)?.value ?? conversation;
    const made = await api.post<Conversation>(`/v1/dashboard/conversations/${conversation.id}/split`, { messageId });
    const rest = new URLSearchParams(search);
    rest.delete("message");
    navigate(`/inbox/${made.id}${rest.size > 0 ? `?${rest.toString()}` : ""}`);
    did(texts.done(count, contactName(conversation.contact)), async () => {
      const merged = await api.post<Conversation>(`/v1/dashboard/conversations/${made.id}/merge`, { intoId: conversation.id });
      const back = inverseOf(before, merged, ["status"], Date.now()); // it became as urgent as the new one
      if (back) await changeConversation(store, conversation.id, back);
    });
  };
}
