import { FormDialog, SelectField, TextField, useForm } from "../kit";
import { useStore } from "../sync";
import { ownerOf, useOwners } from "./savedviews";
import { texts } from "./savedviews.texts";
import { viewQuery, type View } from "./views";

/** Saves the present view under a name in the navigation. */
export function SaveViewDialog({ view, suggested, onClose }: { view: View; suggested: string; onClose: () => void }) {
  const { views } = useStore();
  const owners = useOwners();
  const form = useForm(
    { name: suggested, owner: "own" },
    async ({ name, owner }) => {
      await views.save({ name: name.trim(), ...ownerOf(owner), query: viewQuery(view).slice(1) });
      onClose();
    },
    ({ name }) => (name.trim() === "" ? { name: texts.enterAName } : {}),
  );
  return (
    <FormDialog title={texts.save} action={texts.saveView} form={form} onClose={onClose}>
      <TextField label={texts.name} maxLength={60} autoFocus {...form.field("name")} />
      {owners.length > 1 && <SelectField label={texts.forWhom} options={owners} {...form.field("owner")} />}
    </FormDialog>
  );
}
