import { useState } from "react";
import type { SavedView } from "../api/types";
import { Button, Checkbox, ConfirmDialog, FormDialog, SelectField, TextField, useForm, useToast } from "../kit";
import { useStore } from "../sync";
import styles from "./List.module.css";
import { ownerOf, useOwners } from "./savedviews";
import { texts } from "./savedviews.texts";

/** Renames, shares or deletes a saved view. */
export function EditViewDialog({ view, onClose }: { view: SavedView; onClose: () => void }) {
  const { views } = useStore();
  const owners = useOwners();
  const toast = useToast();
  const [removing, setRemoving] = useState(false);
  const form = useForm(
    { name: view.name, pinned: view.pinned, owner: "own" },
    async ({ name: typed, pinned, owner }) => {
      const name = typed.trim();
      if (owner === "own") {
        await views.change(view.id, { name, pinned });
      } else {
        // First the view of the others: if the second request fails, there is one too many, not one too few.
        await views.save({ name, query: view.query, pinned, ...ownerOf(owner) });
        await views.remove(view.id);
        toast.done(texts.shared(name));
      }
      onClose();
    },
    ({ name }) => (name.trim() === "" ? { name: texts.enterAName } : {}),
  );
  if (removing) {
    return (
      <ConfirmDialog open onClose={onClose} title={texts.removeTitle(view.name)} action={texts.removeAction} onConfirm={() => views.remove(view.id)}>
        {view.scope === "own" ? texts.removeOwn : view.scope === "team" ? texts.removeOfTeam : texts.removeShared}
      </ConfirmDialog>
    );
  }
  return (
    <FormDialog title={texts.edit} action={texts.saveChanges} form={form} onClose={onClose}>
      <TextField label={texts.name} maxLength={60} autoFocus {...form.field("name")} />
      <Checkbox label={texts.counted} checked={form.values.pinned} onChange={(pinned) => form.set("pinned", pinned)} />
      {view.scope === "own" && owners.length > 1 && <SelectField label={texts.forWhom} options={owners} {...form.field("owner")} />}
      <div className={styles.viewActions}>
        <Button variant="danger" onClick={() => setRemoving(true)}>
          {texts.remove}
        </Button>
      </div>
    </FormDialog>
  );
}
