// Language models: their servers, and what they are told for each product.
import { Bot, BrainCircuit, MoreHorizontal, Pencil, Plus, RefreshCw } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { List, ModelProvider, Product } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Badge, Button, ConfirmDialog, IconButton, Menu, Page, RelativeTime, Section, useAction } from "../kit";
import { useProducts } from "../sync";
import { AgentDialog } from "./agentform";
import { ProviderForm } from "./providerform";
import { RowActions, Rows, RowText } from "./parts";
import { texts } from "./models.texts";

const path = "/v1/dashboard/model-providers";

export function ModelsPage() {
  const providers = useQuery<List<ModelProvider>>(path);
  return (
    <Page title={texts.models} description={texts.description}>
      <Providers rows={providers.data?.data} error={providers.error} onChange={providers.reload} />
      <Agents providers={providers.data?.data ?? []} />
    </Page>
  );
}

interface ProvidersProps {
  rows: readonly ModelProvider[] | undefined;
  error: unknown;
  onChange: () => void;
}

function Providers({ rows, error, onChange }: ProvidersProps) {
  const [editing, setEditing] = useState<ModelProvider | "new" | null>(null);
  const [deleting, setDeleting] = useState<ModelProvider | null>(null);
  const [testing, setTesting] = useState("");
  const { run } = useAction();

  async function test(id: string) {
    setTesting(id);
    await run(() => api.post<ModelProvider>(`${path}/${id}/test`), texts.testedNow);
    setTesting("");
    onChange();
  }
  return (
    <Section
      title={texts.providers}
      description={texts.providersNote}
      actions={
        <Button variant="primary" icon={<Plus size={16} />} onClick={() => setEditing("new")}>
          {texts.newProvider}
        </Button>
      }
    >
      <Rows label={texts.providers} rows={rows} error={error} onRetry={onChange} keyOf={(provider) => provider.id} empty={{ title: texts.noProvidersYet, text: texts.whatFor }}>
        {(provider) => (
          <>
            <BrainCircuit size={18} aria-hidden />
            <RowText name={provider.name} badges={<State provider={provider} />} note={<Findings provider={provider} testing={testing === provider.id} />} />
            <RowActions>
              <IconButton label={texts.test(provider.name)} icon={<RefreshCw size={15} />} disabled={testing !== ""} onClick={() => void test(provider.id)} />
              <Menu
                button={<IconButton label={texts.change(provider.name)} icon={<MoreHorizontal size={16} />} />}
                entries={[
                  { label: texts.edit, onSelect: () => setEditing(provider) },
                  ...(provider.main
                    ? []
                    : [{ label: texts.makeMain, onSelect: () => void run(() => api.patch(`${path}/${provider.id}`, { main: true }).then(onChange), texts.isMain(provider.name)) }]),
                  { label: texts.delete, danger: true, onSelect: () => setDeleting(provider) },
                ]}
              />
            </RowActions>
          </>
        )}
      </Rows>
      {editing && (
        <ProviderForm
          provider={editing === "new" ? null : editing}
          onClose={() => setEditing(null)}
          onSaved={(provider) => {
            setEditing(null);
            onChange();
            if (provider.testedAt === null) void test(provider.id);
          }}
        />
      )}
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={texts.deleteTitle(deleting?.name ?? "")}
        action={texts.deleteAction}
        onConfirm={() => deleting && api.delete(`${path}/${deleting.id}`).then(onChange)}
      >
        {texts.deleteNote}
      </ConfirmDialog>
    </Section>
  );
}

function State({ provider }: { provider: ModelProvider }) {
  return (
    <>
      {provider.toy && <Badge tone="warn">{texts.toy}</Badge>}
      {provider.main && <Badge>{texts.main}</Badge>}
      {provider.testedAt === null ? <Badge tone="warn">{texts.untested}</Badge> : provider.problem ? <Badge tone="danger">{texts.fails}</Badge> : <Badge tone="ok">{texts.works}</Badge>}
    </>
  );
}

/** What the last test found, in words. */
function Findings({ provider, testing }: { provider: ModelProvider; testing: boolean }) {
  const { capabilities: can } = provider;
  const found: [string, boolean][] = [
    [texts.streaming, can.streaming],
    [texts.jsonSchema, can.jsonSchema],
    [texts.tools, can.tools],
    [texts.usage, can.usage],
  ];
  const able = found.filter(([, is]) => is).map(([name]) => name);
  if (can.dimension !== null) able.push(texts.embeddings(can.dimension));
  const lacking = found.filter(([, is]) => !is).map(([name]) => name);
  if (can.dimension === null && provider.embeddingModel !== null) lacking.push(texts.noEmbeddings);
  return (
    <>
      <div>
        {provider.model} · {provider.baseUrl}
      </div>
      {provider.toy && <div>{texts.toyNote}</div>}
      <div role="status">
        {testing && texts.testing}
        {!testing && provider.problem}
        {!testing && provider.testedAt !== null && !provider.problem && (
          <>
            {able.length > 0 && `${texts.can} ${able.join(", ")}. `}
            {lacking.length > 0 && `${texts.lacks} ${lacking.join(", ")}. `}
            {!can.usage && texts.estimated}
          </>
        )}
      </div>
      {provider.testedAt !== null && (
        <div>
          {texts.tested} <RelativeTime at={provider.testedAt} />
        </div>
      )}
    </>
  );
}

function Agents({ providers }: { providers: readonly ModelProvider[] }) {
  const products = useProducts().filter((product) => !product.archived);
  const [editing, setEditing] = useState<Product | null>(null);
  return (
    <Section title={texts.products} description={texts.productsNote}>
      <Rows label={texts.products} rows={products} keyOf={(product) => product.id} empty={{ title: texts.noProductsYet, text: texts.addProducts }}>
        {(product) => (
          <>
            <Bot size={18} aria-hidden />
            <RowText name={product.name} />
            <RowActions>
              <IconButton label={texts.editAgent(product.name)} icon={<Pencil size={15} />} onClick={() => setEditing(product)} />
            </RowActions>
          </>
        )}
      </Rows>
      {editing && <AgentDialog product={editing} providers={providers} onClose={() => setEditing(null)} />}
    </Section>
  );
}
