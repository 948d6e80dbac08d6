import { Sparkles } from "lucide-react";
import { IconButton, Menu, useToast, type MenuEntry } from "../kit";
import { useCommand, useNamedCommand } from "../shell/commands";
import { needsText, useAssistAvailable, wishes, wishIds, type Assist, type WishId } from "./assist";
import { texts } from "./assist.texts";

interface MenuProps {
  assist: Assist;
  text: string;
  /** The conversation has a product, whose model helps. */
  product: boolean;
}

/** The menu of what a model can help with. Without a model there is none, and the palette says why. */
export function AssistMenu({ assist, text, product }: MenuProps) {
  const available = useAssistAvailable();
  const toast = useToast();
  const usable = available && product;
  const ask = (id: WishId) => {
    if (needsText(id) && text.trim() === "") toast.done(texts.writeFirst);
    else assist.ask(id, wishes[id].task === "rewrite" || wishes[id].task === "translate" ? text : "");
  };
  useCommand("draft", usable ? () => ask("draft") : null);
  const why = available ? texts.noProduct : texts.noModel;
  useNamedCommand(usable ? null : { id: "assist", label: texts.assist, group: texts.assist, keys: "", run: () => toast.done(why) });
  if (!usable) return null;
  const entries: MenuEntry[] = wishIds.flatMap((id) => [
    ...(id === "shorter" || id === "forCustomer" ? (["separator"] as const) : []),
    { label: texts[id], disabled: needsText(id) && text.trim() === "", onSelect: () => ask(id), ...(id === "draft" && { shortcut: "Shift+d" }) },
  ]);
  return (
    <>
      {wishIds.map((id) => id !== "draft" && <Wish key={id} id={id} run={() => ask(id)} />)}
      <Menu label={texts.assist} entries={entries} button={<IconButton size="sm" label={texts.assist} icon={<Sparkles size={16} />} />} />
    </>
  );
}

/** A wish as a command of the palette. */
function Wish({ id, run }: { id: WishId; run: () => void }) {
  useNamedCommand({ id: `assist.${id}`, label: texts[id], group: texts.assist, keys: "", run });
  return null;
}
