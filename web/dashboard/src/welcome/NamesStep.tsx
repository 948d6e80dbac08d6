import { api } from "../api/client";
import type { Member, Ref } from "../api/types";
import { Button, Form, FormActions, FormError, TextField, useForm } from "../kit";
import { isAtLeast } from "../settings/roles";
import { useLearn, useMe, useWorkspace } from "../sync";
import { doneSteps, givenName } from "./steps";
import { texts } from "./texts";

/** The names of the workspace, which only an owner may change, and of the member. */
export function NamesStep({ onDone }: { onDone: () => void }) {
  const me = useMe();
  const workspace = useWorkspace();
  const learn = useLearn();
  const mayRename = isAtLeast(me.role, "owner");
  const named = doneSteps({ workspace: workspace.name, me: { name: "", email: "@" }, members: 1, invitations: 0, inbox: undefined, views: [], conversations: 0 });
  const first = { workspace: named.size === 0 ? "" : workspace.name, name: me.name === givenName(me.email) ? "" : me.name };
  const form = useForm(first, async (values) => {
    if (mayRename && values.workspace.trim() !== workspace.name) learn("workspace", await api.patch<Ref>("/v1/dashboard/workspace", { name: values.workspace.trim() }));
    if (values.name.trim() !== me.name) learn("member", await api.patch<Member>(`/v1/dashboard/members/${me.id}`, { name: values.name.trim() }));
  });
  const submit = async () => {
    if (await form.submit()) onDone();
  };
  return (
    <Form onSubmit={() => void submit()}>
      {mayRename && <TextField label={texts.names.workspace} hint={texts.names.workspaceHint} autoComplete="organization" maxLength={255} {...form.field("workspace")} />}
      <TextField label={texts.names.own} hint={texts.names.ownHint} autoComplete="name" maxLength={255} {...form.field("name")} />
      <FormError>{form.fault}</FormError>
      <FormActions>
        <Button type="submit" variant="primary" busy={form.busy}>
          {texts.next}
        </Button>
      </FormActions>
    </Form>
  );
}
