// The workspace itself.
import { api } from "../api/client";
import type { Ref } from "../api/types";
import { Button, CopyField, Form, FormActions, FormError, Page, Section, TextField, useForm, useToast, useUnsaved } from "../kit";
import { useLearn, useWorkspace } from "../sync";

export function WorkspacePage() {
  const workspace = useWorkspace();
  const learn = useLearn();
  const toast = useToast();
  const form = useForm({ name: workspace.name }, async (values) => {
    learn("workspace", await api.patch<Ref>("/v1/dashboard/workspace", values));
    toast.done("Workspace renamed");
  });
  useUnsaved(form.changed);
  return (
    <Page title="Workspace">
      <Section title="Name" description="Members see it in the dashboard and in invitations.">
        <Form onSubmit={() => void form.submit()}>
          <TextField label="Workspace name" autoComplete="organization" {...form.field("name")} />
          <FormError>{form.fault}</FormError>
          <FormActions>
            <Button type="submit" variant="primary" busy={form.busy} disabled={!form.changed}>
              Save
            </Button>
          </FormActions>
        </Form>
      </Section>
      <Section title="Id" description="The command line asks for it.">
        <CopyField label="Workspace id" value={workspace.id} />
      </Section>
    </Page>
  );
}
