import * as Ariakit from "@ariakit/react";
import { Search, Zap } from "lucide-react";
import { useState } from "react";
import { api, errorText } from "../api/client";
import type { Conversation, List, Macro } from "../api/types";
import { useQuery } from "../api/useQuery";
import { fold, Kbd, useToast } from "../kit";
import palette from "../shell/Palette.module.css";
import { changeConversation, newestHere, useMe, useMembers, useProducts, useStore } from "../sync";
import css from "./Articles.module.css";
import { filledText, linesOf } from "./macros";
import { texts } from "./macros.texts";
import { contactName } from "./Row";
import { inverseOf, useDid } from "./undo";
import { texts as undoing } from "./undo.texts";

/** What a macro may change. */
const everything = ["status", "priority", "assigneeId", "teamId", "labels", "productId", "snoozedUntil"];

/** Finds a macro, shows what it would do here, and runs it. */
export function MacroPicker({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { data, error } = useQuery<List<Macro>>("/v1/dashboard/macros");
  const me = useMe();
  const members = useMembers();
  const products = useProducts();
  const toast = useToast();
  const did = useDid();
  const live = useStore();
  const [query, setQuery] = useState("");
  const store = Ariakit.useComboboxStore({ open: true, value: query, setValue: setQuery });
  const activeId = Ariakit.useStoreState(store, "activeId");
  const found = (data?.data ?? []).filter((macro) => fold(`${macro.name} ${macro.shortcut}`).includes(fold(query.trim())));
  const shown = found.find(({ id }) => activeId === `macro-${id}`) ?? found[0];
  const nameOf = (kind: "member" | "product", id: string) => (kind === "member" ? members : products).find((one) => one.id === id)?.name ?? id;
  const run = async (macro: Macro) => {
    onClose();
    const last = newestHere(live.state.get(), conversation.id);
    try {
      const after = await api.post<Conversation>(`/v1/dashboard/conversations/${conversation.id}/macros/${macro.id}`, last ? { ifLastMessageId: last } : {});
      const back = inverseOf(conversation, after, everything, Date.now());
      if (!back) return void toast.done(texts.done(macro.name));
      const writes = macro.actions.reply || macro.actions.note;
      did(undoing.of(writes ? undoing.macro(texts.done(macro.name)) : texts.done(macro.name), contactName(conversation.contact)), () => changeConversation(live, conversation.id, back));
    } catch (fault) {
      toast.failed(fault);
    }
  };
  return (
    <Ariakit.Dialog open onClose={onClose} backdrop={<div className={palette.backdrop} />} className={palette.palette} aria-label={texts.title}>
      <div className={palette.query}>
        <Search size={17} aria-hidden />
        <Ariakit.Combobox store={store} autoSelect="always" autoFocus placeholder={texts.placeholder} aria-label={texts.placeholder} />
      </div>
      <Ariakit.ComboboxList store={store} alwaysVisible className={palette.list} aria-label={texts.list} aria-busy={!data}>
        {found.map((macro) => (
          <Ariakit.ComboboxItem key={macro.id} id={`macro-${macro.id}`} className={palette.item} focusOnHover setValueOnClick={false} onClick={() => void run(macro)}>
            <Zap size={16} aria-hidden />
            <span className={palette.text} dir="auto">
              <span>{macro.name}</span>
            </span>
          </Ariakit.ComboboxItem>
        ))}
        {found.length === 0 && <div className={palette.nothing}>{error !== undefined ? errorText(error) : query.trim() ? texts.nothing : data ? texts.none : ""}</div>}
      </Ariakit.ComboboxList>
      {shown && (
        <section className={css.fitting} aria-label={texts.preview} aria-live="polite">
          <ul>
            {linesOf(shown, nameOf, (text) => filledText(text, conversation, me.name)).map((line, index) => (
              <li key={index} dir="auto">
                {line}
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className={css.keys}>
        <span>
          <Kbd keys="Enter" /> {texts.run}
        </span>
      </p>
    </Ariakit.Dialog>
  );
}
