// Answers that are written once and sent often.
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { CannedAnswer } from "../api/types";
import { Button, ConfirmDialog, fold, FormDialog, IconButton, Page, SearchField, TextArea, TextField, useForm } from "../kit";
import { useCannedAnswers, useLearn } from "../sync";
import { RowActions, Rows, RowText } from "./parts";
import css from "./settings.module.css";
import { texts } from "./texts";
import { locale } from "../kit/texts";

const path = "/v1/dashboard/canned-answers";

export function CannedAnswersPage() {
  const answers = useCannedAnswers();
  const [search, setSearch] = useState("");
  const [editing, setEditing] = useState<CannedAnswer | "new" | null>(null);
  const [deleting, setDeleting] = useState<CannedAnswer | null>(null);
  const learn = useLearn();
  const wanted = fold(search);
  const found = answers.filter((answer) => fold(`/${answer.shortcut} ${answer.content}`).includes(wanted)).sort((a, b) => a.shortcut.localeCompare(b.shortcut, locale));

  async function remove(answer: CannedAnswer) {
    await api.delete(`${path}/${answer.id}`);
    learn("cannedAnswer", answer, "deleted");
  }

  return (
    <Page
      title={texts.cannedanswers.cannedAnswers}
      description={texts.cannedanswers.answersThatYourTeamUses}
      actions={
        <Button variant="primary" icon={<Plus size={16} />} onClick={() => setEditing("new")}>
          {texts.cannedanswers.newAnswer}
        </Button>
      }
    >
      {answers.length > 5 && <SearchField label={texts.cannedanswers.searchCannedAnswers} placeholder={texts.cannedanswers.search} value={search} onChange={setSearch} />}
      <Rows
        label={texts.cannedanswers.cannedAnswers}
        rows={found}
        keyOf={(answer) => answer.id}
        empty={wanted ? { title: texts.cannedanswers.nothingFound, text: texts.cannedanswers.tryAnother } : { title: texts.cannedanswers.noCannedAnswersYet, text: texts.cannedanswers.whatFor }}
      >
        {(answer) => (
          <>
            <RowText name={<span className={css.mono}>/{answer.shortcut}</span>} note={<span className={css.preview}>{answer.content}</span>} />
            <RowActions>
              <IconButton label={texts.cannedanswers.edit(answer.shortcut)} icon={<Pencil size={15} />} onClick={() => setEditing(answer)} />
              <IconButton label={texts.cannedanswers.delete(answer.shortcut)} icon={<Trash2 size={15} />} onClick={() => setDeleting(answer)} />
            </RowActions>
          </>
        )}
      </Rows>
      {editing && <AnswerForm answer={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={texts.cannedanswers.delete2(deleting?.shortcut ?? "")}
        action={texts.cannedanswers.deleteAnswer}
        onConfirm={() => deleting && remove(deleting)}
      >
        {texts.cannedanswers.nobodyCanUseItAny}
      </ConfirmDialog>
    </Page>
  );
}

function AnswerForm({ answer, onClose }: { answer: CannedAnswer | null; onClose: () => void }) {
  const learn = useLearn();
  const form = useForm({ shortcut: answer?.shortcut ?? "", content: answer?.content ?? "" }, async (values) => {
    learn("cannedAnswer", answer ? await api.patch<CannedAnswer>(`${path}/${answer.id}`, values) : await api.post<CannedAnswer>(path, values));
    onClose();
  });
  const shortcut = form.field("shortcut");
  return (
    <FormDialog
      title={answer ? texts.cannedanswers.editTheAnswer : texts.cannedanswers.newCannedAnswer}
      action={answer ? texts.cannedanswers.save : texts.cannedanswers.createAnswer}
      form={form}
      onClose={onClose}
      wide
    >
      <TextField
        label={texts.cannedanswers.shortcut}
        hint={texts.cannedanswers.whatYouTypeAfter}
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={32}
        {...shortcut}
        onChange={(text) => shortcut.onChange(text.replace(/^\//, "").toLowerCase())}
      />
      <TextArea label={texts.cannedanswers.answer} rows={7} {...form.field("content")} />
    </FormDialog>
  );
}
