import { FormDialog, SelectField, TextField, useForm } from "../kit";
import { useStore } from "../sync";
import { useMayShare } from "./savedviews";
import { texts } from "./savedviews.texts";
import { viewQuery, type View } from "./views";

/** Saves the present view under a name in the navigation. */
export function SaveViewDialog({ view, suggested, onClose }: { view: View; suggested: string; onClose: () => void }) {
  const { views } = useStore();
  const mayShare = useMayShare();
  const form = useForm<{ name: string; scope: "own" | "all" }>(
    { name: suggested, scope: "own" },
    async ({ name, scope }) => {
      await views.save({ name: name.trim(), scope, query: viewQuery(view).slice(1) });
      onClose();
    },
    ({ name }) => (name.trim() === "" ? { name: texts.enterAName } : {}),
  );
  return (
    <FormDialog title={texts.save} action={texts.saveView} form={form} onClose={onClose}>
      <TextField label={texts.name} maxLength={60} autoFocus {...form.field("name")} />
      {mayShare && (
        <SelectField
          label={texts.forWhom}
          options={[
            { value: "own", label: texts.onlyMe },
            { value: "all", label: texts.everybody },
          ]}
          {...form.field("scope")}
        />
      )}
    </FormDialog>
  );
}
