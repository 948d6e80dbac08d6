import { FormDialog, TextField, useForm } from "../kit";
import { useSavedViews } from "./savedviews";
import { texts } from "./texts";
import { viewQuery, type View } from "./views";

/** Saves the present view under a name in the navigation. */
export function SaveViewDialog({ view, suggested, onClose }: { view: View; suggested: string; onClose: () => void }) {
  const { save } = useSavedViews();
  const form = useForm(
    { name: suggested },
    async ({ name }) => {
      save({ name: name.trim(), query: viewQuery(view) });
      onClose();
    },
    ({ name }) => (name.trim() === "" ? { name: texts.saveViewDialog.enterAName } : {}),
  );
  return (
    <FormDialog title={texts.saveViewDialog.title} description={texts.saveViewDialog.description} action={texts.saveViewDialog.saveView} form={form} onClose={onClose}>
      <TextField label={texts.saveViewDialog.name} maxLength={60} autoFocus {...form.field("name")} />
    </FormDialog>
  );
}
