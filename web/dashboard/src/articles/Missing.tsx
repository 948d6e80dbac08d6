import { Trash2 } from "lucide-react";
import { useState } from "react";
import { ButtonLink, Button, CopyButton, EmptyState, TextArea } from "../kit";
import type { Article } from "../api/knowledge";
import { useMe } from "../sync";
import { loadText, storeText, textId } from "./drafts";
import css from "./Editor.module.css";
import type { Text } from "./session";
import { texts } from "./texts";

/** In place of a text that somebody deleted: what was written here and not saved. */
export function Missing({ article, language, text }: { article: Article; language: string; text: Text }) {
  const me = useMe();
  const id = textId(article.id, language);
  const [kept, setKept] = useState(() => loadText(me.id, id) !== null || text.unsaved);
  const { title, description, body, keywords } = text.content;
  const all = [`# ${title}`, description, body, keywords.join(", ")].filter(Boolean).join("\n\n");
  return (
    <div className={css.missing}>
      <EmptyState icon={<Trash2 size={20} />} title={texts.missing.title} action={<ButtonLink href="/articles">{texts.list.title}</ButtonLink>}>
        {texts.missing.why} {kept && texts.missing.kept}
      </EmptyState>
      {kept && (
        <>
          <TextArea label={texts.missing.yours} value={all} onChange={() => undefined} readOnly rows={12} />
          <div className={css.missingActions}>
            <CopyButton label={texts.missing.copy} value={all} />
            <Button
              onClick={() => {
                storeText(me.id, id, null);
                setKept(false);
              }}
            >
              {texts.missing.discard}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
