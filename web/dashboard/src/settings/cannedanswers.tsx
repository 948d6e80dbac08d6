// Answers that are written once and used often.
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { CannedAnswer } from "../api/types";
import { Button, ConfirmDialog, fold, FormDialog, IconButton, Page, SearchField, TextArea, TextField, useForm } from "../kit";
import { useCannedAnswers, useLearn } from "../sync";
import { RowActions, Rows, RowText } from "./parts";
import css from "./settings.module.css";

const path = "/v1/dashboard/canned-answers";

export function CannedAnswersPage() {
  const answers = useCannedAnswers();
  const [search, setSearch] = useState("");
  const [editing, setEditing] = useState<CannedAnswer | "new" | null>(null);
  const [deleting, setDeleting] = useState<CannedAnswer | null>(null);
  const learn = useLearn();
  const wanted = fold(search);
  const found = answers.filter((answer) => fold(`/${answer.shortcut} ${answer.content}`).includes(wanted)).sort((a, b) => a.shortcut.localeCompare(b.shortcut));

  async function remove(answer: CannedAnswer) {
    await api.delete(`${path}/${answer.id}`);
    learn("cannedAnswer", answer, "deleted");
  }

  return (
    <Page
      title="Canned answers"
      description="Answers that your team uses often. In a reply, type / and the shortcut."
      actions={
        <Button variant="primary" icon={<Plus size={16} />} onClick={() => setEditing("new")}>
          New answer
        </Button>
      }
    >
      {answers.length > 5 && <SearchField label="Search canned answers" placeholder="Search" value={search} onChange={setSearch} />}
      <Rows
        label="Canned answers"
        rows={found}
        keyOf={(answer) => answer.id}
        empty={wanted ? { title: "Nothing found", text: "No shortcut or answer contains this." } : { title: "No canned answers yet", text: "Write down once what you answer every day." }}
      >
        {(answer) => (
          <>
            <RowText name={<span className={css.mono}>/{answer.shortcut}</span>} note={<span className={css.preview}>{answer.content}</span>} />
            <RowActions>
              <IconButton label={`Edit /${answer.shortcut}`} icon={<Pencil size={15} />} onClick={() => setEditing(answer)} />
              <IconButton label={`Delete /${answer.shortcut}`} icon={<Trash2 size={15} />} onClick={() => setDeleting(answer)} />
            </RowActions>
          </>
        )}
      </Rows>
      {editing && <AnswerForm answer={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
      <ConfirmDialog open={deleting !== null} onClose={() => setDeleting(null)} title={`Delete /${deleting?.shortcut ?? ""}?`} action="Delete answer" onConfirm={() => deleting && remove(deleting)}>
        Nobody can use it any more. Messages that were sent with it stay.
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
    <FormDialog title={answer ? "Edit the answer" : "New canned answer"} action={answer ? "Save" : "Create answer"} form={form} onClose={onClose} wide>
      <TextField
        label="Shortcut"
        hint="What you type after the slash: lower-case letters, digits, - and _."
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={32}
        {...shortcut}
        onChange={(text) => shortcut.onChange(text.replace(/^\//, "").toLowerCase())}
      />
      <TextArea label="Answer" rows={7} {...form.field("content")} />
    </FormDialog>
  );
}
