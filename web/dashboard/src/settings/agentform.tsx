// What the automated agent is told for a product.
import { api } from "../api/client";
import type { ModelProvider, Product, ProductAgent } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Button, Dialog, ErrorState, FormDialog, SelectField, SkeletonRows, TextArea, TextField, useForm, useToast } from "../kit";
import { amountOf, millionthsOf } from "./price";
import { texts } from "./models.texts";
import css from "./settings.module.css";

interface AgentProps {
  product: Product;
  providers: readonly ModelProvider[];
  onClose: () => void;
}

export function AgentDialog({ product, providers, onClose }: AgentProps) {
  const path = `/v1/dashboard/products/${product.id}/agent`;
  const { data, error, reload } = useQuery<ProductAgent>(path);
  if (data) return <AgentForm {...{ path, agent: data, product, providers, onClose }} />;
  return (
    <Dialog open onClose={onClose} title={texts.agentTitle(product.name)} footer={<Button onClick={onClose}>{texts.close}</Button>}>
      {error === undefined ? <SkeletonRows count={3} avatar={false} /> : <ErrorState error={error} onRetry={reload} />}
    </Dialog>
  );
}

const words = (text: string) => text.split(/[\s,]+/).filter(Boolean);
const whole = (text: string) => (/^\d{1,10}$/.test(text.trim()) ? Number(text) : null);
/** An amount without a value is none. */
const costOf = (text: string) => millionthsOf(text) || null;

function AgentForm({ path, agent, product, providers, onClose }: AgentProps & { path: string; agent: ProductAgent }) {
  const toast = useToast();
  const first = {
    mode: agent.mode as string,
    providerId: agent.providerId ?? "",
    instructions: agent.instructions,
    tone: agent.tone,
    languages: agent.languages.join(" "),
    hosts: agent.hosts.join(" "),
    dailyTokens: String(agent.dailyTokens),
    dailyCost: agent.dailyCost === null ? "" : amountOf(agent.dailyCost),
    maxTurns: String(agent.maxTurns),
  };
  const form = useForm(
    first,
    async ({ providerId, languages, hosts, dailyTokens, dailyCost, maxTurns, ...values }) => {
      await api.patch<ProductAgent>(path, {
        ...values,
        providerId: providerId || null,
        languages: words(languages),
        hosts: words(hosts),
        dailyTokens: whole(dailyTokens),
        dailyCost: costOf(dailyCost),
        maxTurns: whole(maxTurns),
      });
      toast.done(texts.saved);
      onClose();
    },
    ({ dailyTokens, dailyCost, maxTurns }) => ({
      ...(whole(dailyTokens) === null && { dailyTokens: texts.wholeRule }),
      ...(dailyCost.trim() !== "" && !costOf(dailyCost) && { dailyCost: texts.priceRule }),
      ...(whole(maxTurns) === null && { maxTurns: texts.wholeRule }),
    }),
  );
  const isToy = providers.some(({ id, main, toy }) => toy && (form.values.providerId === "" ? main : id === form.values.providerId));
  return (
    <FormDialog title={texts.agentTitle(product.name)} action={texts.saveAgent} form={form} onClose={onClose} wide>
      {isToy && form.values.mode === "answer" && <p className={css.note}>{texts.toyAgent}</p>}
      <SelectField label={texts.mode} options={texts.modes} {...form.field("mode")} />
      <TextArea label={texts.instructions} optional rows={6} autoFocus hint={texts.instructionsHint} {...form.field("instructions")} />
      <TextField label={texts.tone} optional placeholder={texts.tonePlaceholder} autoComplete="off" {...form.field("tone")} />
      <TextField label={texts.languages} optional hint={texts.languagesHint} autoComplete="off" spellCheck={false} {...form.field("languages")} />
      <TextField label={texts.hosts} optional hint={texts.hostsHint} autoComplete="off" spellCheck={false} {...form.field("hosts")} />
      <SelectField
        label={texts.provider}
        options={[{ value: "", label: texts.mainProvider }, ...providers.map((provider) => ({ value: provider.id, label: provider.name }))]}
        {...form.field("providerId")}
      />
      <div className={css.pair}>
        <TextField label={texts.dailyTokens} inputMode="numeric" hint={texts.dailyTokensHint} autoComplete="off" {...form.field("dailyTokens")} />
        <TextField label={texts.dailyCost} optional inputMode="decimal" hint={texts.dailyCostHint} autoComplete="off" {...form.field("dailyCost")} />
      </div>
      <div className={css.pair}>
        <TextField label={texts.maxTurns} inputMode="numeric" autoComplete="off" {...form.field("maxTurns")} />
      </div>
    </FormDialog>
  );
}
