// The labels that are offered for conversations, each with its colour.
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { Label, LabelColor } from "../api/types";
import { Button, ButtonLink, ConfirmDialog, FormDialog, IconButton, LabelChip, Page, TextField, useForm } from "../kit";
import { useLabels, useLearn, useMe } from "../sync";
import { ColorField } from "./ColorField";
import { RowActions, Rows } from "./parts";
import { isAtLeast } from "./roles";
import css from "./settings.module.css";
import { texts } from "./texts";
import { locale } from "../kit/texts";

const path = "/v1/dashboard/labels";

export function LabelsPage() {
  const labels = [...useLabels()].sort((a, b) => a.name.localeCompare(b.name, locale));
  const mayChange = isAtLeast(useMe().role, "admin");
  const learn = useLearn();
  const [editing, setEditing] = useState<Label | "new" | null>(null);
  const [deleting, setDeleting] = useState<Label | null>(null);

  async function remove(label: Label) {
    await api.delete(`${path}/${encodeURIComponent(label.name)}`);
    learn("label", label, "deleted");
  }

  return (
    <Page
      title={texts.labels.labels}
      description={texts.labels.labelsGroupConversations}
      actions={
        mayChange && (
          <Button variant="primary" icon={<Plus size={16} />} onClick={() => setEditing("new")}>
            {texts.labels.newLabel}
          </Button>
        )
      }
    >
      <Rows
        label={texts.labels.labels}
        rows={labels}
        keyOf={(label) => label.name}
        empty={{ title: texts.labels.noLabelsYet, text: mayChange ? texts.labels.createTheFirstOne : texts.labels.anAdminCanCreate }}
      >
        {(label) => (
          <>
            <div className={css.rowText}>
              <LabelChip name={label.name} color={label.color} />
            </div>
            <RowActions>
              <ButtonLink href={`/inbox?label=${encodeURIComponent(label.name)}`} variant="ghost" size="sm">
                {texts.labels.conversations}
              </ButtonLink>
              {mayChange && (
                <>
                  <IconButton label={texts.labels.changeTheColour(label.name)} icon={<Pencil size={15} />} onClick={() => setEditing(label)} />
                  <IconButton label={texts.labels.delete(label.name)} icon={<Trash2 size={15} />} onClick={() => setDeleting(label)} />
                </>
              )}
            </RowActions>
          </>
        )}
      </Rows>
      {editing && <LabelForm label={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={texts.labels.deleteTheLabel(deleting?.name ?? "")}
        action={texts.labels.deleteLabel}
        onConfirm={() => deleting && remove(deleting)}
      >
        {texts.labels.itIsNoLongerOffered}
      </ConfirmDialog>
    </Page>
  );
}

function LabelForm({ label, onClose }: { label: Label | null; onClose: () => void }) {
  const learn = useLearn();
  const form = useForm<{ name: string; color: LabelColor }>({ name: label?.name ?? "", color: label?.color ?? "teal" }, async ({ name, color }) => {
    learn("label", label ? await api.patch<Label>(`${path}/${encodeURIComponent(label.name)}`, { color }) : await api.post<Label>(path, { name, color }));
    onClose();
  });
  return (
    <FormDialog title={label ? texts.labels.theColour(label.name) : texts.labels.newLabel} action={label ? texts.labels.save : texts.labels.createLabel} form={form} onClose={onClose}>
      {!label && <TextField label={texts.labels.name} autoFocus autoComplete="off" maxLength={100} {...form.field("name")} />}
      <ColorField name={form.values.name} value={form.values.color} onChange={(color) => form.set("color", color)} />
    </FormDialog>
  );
}
