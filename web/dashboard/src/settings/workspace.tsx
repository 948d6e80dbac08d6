// The settings of the workspace itself.
import { api } from "../api/client";
import type { Ref } from "../api/types";
import { Button, CopyField, Form, FormActions, FormError, Page, Section, TextField, useForm, useToast, useUnsaved } from "../kit";
import { useLearn, useWorkspace } from "../sync";
import { RequireSection } from "./secondfactor";
import { texts } from "./texts";

export function WorkspacePage() {
  const workspace = useWorkspace();
  const learn = useLearn();
  const toast = useToast();
  const form = useForm({ name: workspace.name }, async (values) => {
    learn("workspace", await api.patch<Ref>("/v1/dashboard/workspace", values));
    toast.done(texts.workspace.workspaceRenamed);
  });
  useUnsaved(form.changed);
  return (
    <Page title={texts.workspace.workspace}>
      <Section title={texts.workspace.name} description={texts.workspace.membersSee}>
        <Form onSubmit={() => void form.submit()}>
          <TextField label={texts.workspace.workspaceName} autoComplete="organization" {...form.field("name")} />
          <FormError>{form.fault}</FormError>
          <FormActions>
            <Button type="submit" variant="primary" busy={form.busy} disabled={!form.changed}>
              {texts.workspace.save}
            </Button>
          </FormActions>
        </Form>
      </Section>
      <RequireSection />
      <Section title={texts.workspace.id} description={texts.workspace.theCommandLineAsks}>
        <CopyField label={texts.workspace.workspaceId} value={workspace.id} />
      </Section>
    </Page>
  );
}
