import { useState } from "react";
import type { SavedView } from "../api/types";
import { Button, Checkbox, ConfirmDialog, FormDialog, TextField, useAction, useForm } from "../kit";
import { useStore } from "../sync";
import styles from "./List.module.css";
import { useMayShare } from "./savedviews";
import { texts } from "./savedviews.texts";

/** Renames, shares or deletes a saved view. */
export function EditViewDialog({ view, onClose }: { view: SavedView; onClose: () => void }) {
  const { views } = useStore();
  const mayShare = useMayShare();
  const [removing, setRemoving] = useState(false);
  const sharing = useAction();
  const form = useForm(
    { name: view.name, pinned: view.pinned },
    async ({ name, pinned }) => {
      await views.change(view.id, { name: name.trim(), pinned });
      onClose();
    },
    ({ name }) => (name.trim() === "" ? { name: texts.enterAName } : {}),
  );
  if (removing) {
    return (
      <ConfirmDialog open onClose={onClose} title={texts.removeTitle(view.name)} action={texts.removeAction} onConfirm={() => views.remove(view.id)}>
        {view.scope === "own" ? texts.removeOwn : texts.removeShared}
      </ConfirmDialog>
    );
  }
  const share = async () => {
    const name = form.values.name.trim() || view.name;
    // First the view of everybody: if the second request fails, there is one too many, not one too few.
    const work = () => views.save({ name, query: view.query, scope: "all", pinned: form.values.pinned }).then(() => views.remove(view.id));
    if (await sharing.run(work, texts.shared(name))) onClose();
  };
  return (
    <FormDialog title={texts.edit} action={texts.saveChanges} form={form} onClose={onClose}>
      <TextField label={texts.name} maxLength={60} autoFocus {...form.field("name")} />
      <Checkbox label={texts.counted} checked={form.values.pinned} onChange={(pinned) => form.set("pinned", pinned)} />
      <div className={styles.viewActions}>
        {mayShare && view.scope === "own" && (
          <Button busy={sharing.busy} onClick={() => void share()}>
            {texts.share}
          </Button>
        )}
        <Button variant="danger" onClick={() => setRemoving(true)}>
          {texts.remove}
        </Button>
      </div>
    </FormDialog>
  );
}
