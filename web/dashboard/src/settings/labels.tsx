// The labels that are offered for conversations, each with its colour.
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { api } from "../api/client";
import type { Label, LabelColor } from "../api/types";
import { Button, ButtonLink, ConfirmDialog, FormDialog, IconButton, LabelChip, Page, TextField, useForm } from "../kit";
import { useLabels, useLearn, useMe } from "../sync";
import { RowActions, Rows } from "./parts";
import { isAtLeast } from "./roles";
import css from "./settings.module.css";

const colors: readonly LabelColor[] = ["gray", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"];
const path = "/v1/dashboard/labels";

export function LabelsPage() {
  const labels = [...useLabels()].sort((a, b) => a.name.localeCompare(b.name));
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
      title="Labels"
      description="Labels group conversations by topic. Labels that only the API uses appear in grey."
      actions={
        mayChange && (
          <Button variant="primary" icon={<Plus size={16} />} onClick={() => setEditing("new")}>
            New label
          </Button>
        )
      }
    >
      <Rows
        label="Labels"
        rows={labels}
        keyOf={(label) => label.name}
        empty={{ title: "No labels yet", text: mayChange ? "Create the first one, such as “refund” or “bug”." : "An admin can create them." }}
      >
        {(label) => (
          <>
            <div className={css.rowText}>
              <LabelChip name={label.name} color={label.color} />
            </div>
            <RowActions>
              <ButtonLink href={`/inbox?label=${encodeURIComponent(label.name)}`} variant="ghost" size="sm">
                Conversations
              </ButtonLink>
              {mayChange && (
                <>
                  <IconButton label={`Change the colour of ${label.name}`} icon={<Pencil size={15} />} onClick={() => setEditing(label)} />
                  <IconButton label={`Delete ${label.name}`} icon={<Trash2 size={15} />} onClick={() => setDeleting(label)} />
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
        title={`Delete the label ${deleting?.name ?? ""}?`}
        action="Delete label"
        onConfirm={() => deleting && remove(deleting)}
      >
        It is no longer offered. Conversations that already have it keep it, in grey.
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
    <FormDialog title={label ? `The colour of ${label.name}` : "New label"} action={label ? "Save" : "Create label"} form={form} onClose={onClose}>
      {!label && <TextField label="Name" autoFocus autoComplete="off" maxLength={100} {...form.field("name")} />}
      <ColorField name={form.values.name} value={form.values.color} onChange={(color) => form.set("color", color)} />
    </FormDialog>
  );
}

/** Chooses one of the nine colours, each shown as the chip it makes. */
function ColorField({ name, value, onChange }: { name: string; value: LabelColor; onChange: (color: LabelColor) => void }) {
  const group = useId();
  return (
    <fieldset className={css.choices}>
      <legend>Colour</legend>
      <div className={css.colors}>
        {colors.map((color) => (
          <label key={color} className={css.color}>
            <input type="radio" name={group} checked={color === value} onChange={() => onChange(color)} aria-label={color} />
            <span aria-hidden="true">
              <LabelChip name={name.trim() || color} color={color} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
