import * as Ariakit from "@ariakit/react";
import { Merge, Search } from "lucide-react";
import { useState } from "react";
import type { Conversation } from "../api/types";
import { Kbd, RelativeTime } from "../kit";
import palette from "../shell/Palette.module.css";
import { useConversation, useConversations, usePreview } from "../sync";
import css from "./Articles.module.css";
import styles from "./Merge.module.css";
import { texts } from "./merges.texts";
import { contactName } from "./Row";
import { useMerging } from "./useMerging";
import { statusNames } from "./valuename";

/** Merges a conversation with another one of its contact and inbox, in either direction. */
export function MergeDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const store = Ariakit.useComboboxStore({ open: true });
  const [keep, setKeep] = useState(false);
  const merging = useMerging();
  const { ids } = useConversations({ contactId: conversation.contact.id, inboxId: conversation.inbox.id });
  const others = ids.filter((id) => id !== conversation.id);
  const merge = (other: string) => {
    onClose();
    const [from, into] = keep ? [other, conversation.id] : [conversation.id, other];
    void merging([from], into, contactName(conversation.contact), conversation.id);
  };
  return (
    <Ariakit.Dialog open onClose={onClose} backdrop={<div className={palette.backdrop} />} className={palette.palette} aria-label={texts.dialog}>
      <div className={palette.query}>
        <Search size={17} aria-hidden />
        <Ariakit.Combobox store={store} autoSelect="always" autoFocus readOnly placeholder={texts.list} aria-label={texts.list} />
      </div>
      <Ariakit.ComboboxList store={store} alwaysVisible className={palette.list} aria-label={texts.list}>
        {others.map((id) => (
          <Ariakit.ComboboxItem key={id} className={palette.item} focusOnHover setValueOnClick={false} onClick={() => merge(id)}>
            <Merge size={16} aria-hidden />
            <Choice id={id} />
          </Ariakit.ComboboxItem>
        ))}
        {others.length === 0 && <div className={palette.nothing}>{texts.none}</div>}
      </Ariakit.ComboboxList>
      <label className={styles.keep}>
        <input type="checkbox" checked={keep} onChange={(event) => setKeep(event.target.checked)} /> {texts.keep}
      </label>
      <p className={css.keys}>
        <span>
          <Kbd keys="Enter" /> {texts.act}
        </span>
      </p>
    </Ariakit.Dialog>
  );
}

/** What tells the conversations of a contact apart: the last words, the status, the time. */
function Choice({ id }: { id: string }) {
  const conversation = useConversation(id);
  const preview = usePreview(id);
  if (!conversation) return null;
  return (
    <span className={palette.text} dir="auto">
      <span>{preview?.preview || texts.noMessages}</span>
      <small>
        {[contactName(conversation.contact), statusNames[conversation.status], conversation.product?.name].filter(Boolean).join(" · ")} · <RelativeTime at={conversation.lastActivityAt} />
      </small>
    </span>
  );
}
