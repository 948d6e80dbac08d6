// The form of a server of language models.
import { api } from "../api/client";
import type { ModelProvider } from "../api/types";
import { Checkbox, FormDialog, TextField, useForm } from "../kit";
import { texts } from "./models.texts";
import { amountOf, millionthsOf } from "./price";
import css from "./settings.module.css";

const path = "/v1/dashboard/model-providers";

interface ProviderFormProps {
  /** Null for a new one. */
  provider: ModelProvider | null;
  onSaved: (provider: ModelProvider) => void;
  onClose: () => void;
}

export function ProviderForm({ provider, onSaved, onClose }: ProviderFormProps) {
  const first = {
    name: provider?.name ?? "",
    baseUrl: provider?.baseUrl ?? "",
    key: "",
    removeKey: false,
    model: provider?.model ?? "",
    embeddingModel: provider?.embeddingModel ?? "",
    currency: provider?.currency ?? "USD",
    inputPrice: amountOf(provider?.inputPrice ?? 0),
    outputPrice: amountOf(provider?.outputPrice ?? 0),
  };
  const form = useForm(
    first,
    async ({ key, removeKey, embeddingModel, inputPrice, outputPrice, ...values }) => {
      const body = {
        ...values,
        ...(key !== "" ? { key } : removeKey && { key: null }),
        embeddingModel: embeddingModel || null,
        inputPrice: millionthsOf(inputPrice),
        outputPrice: millionthsOf(outputPrice),
      };
      onSaved(provider ? await api.patch<ModelProvider>(`${path}/${provider.id}`, body) : await api.post<ModelProvider>(path, body));
    },
    ({ inputPrice, outputPrice }) => ({
      ...(millionthsOf(inputPrice) === null && { inputPrice: texts.priceRule }),
      ...(millionthsOf(outputPrice) === null && { outputPrice: texts.priceRule }),
    }),
  );
  return (
    <FormDialog title={provider ? texts.editTitle : texts.newTitle} action={provider ? texts.save : texts.create} form={form} onClose={onClose} wide>
      <TextField label={texts.name} autoFocus autoComplete="off" {...form.field("name")} />
      <TextField label={texts.baseUrl} type="url" placeholder={texts.placeholder} hint={texts.baseUrlHint} autoComplete="off" {...form.field("baseUrl")} />
      <TextField label={texts.key} type="password" optional hint={provider?.hasKey ? texts.keptKey : texts.keyHint} autoComplete="off" spellCheck={false} {...form.field("key")} />
      {provider?.hasKey && <Checkbox label={texts.removeKey} checked={form.values.removeKey} onChange={(remove) => form.set("removeKey", remove)} />}
      <TextField label={texts.model} autoComplete="off" spellCheck={false} {...form.field("model")} />
      <TextField label={texts.embeddingModel} optional hint={texts.embeddingModelHint} autoComplete="off" spellCheck={false} {...form.field("embeddingModel")} />
      <TextField label={texts.currency} autoComplete="off" maxLength={3} {...form.field("currency")} />
      <div className={css.pair}>
        <TextField label={texts.inputPrice} inputMode="decimal" autoComplete="off" {...form.field("inputPrice")} />
        <TextField label={texts.outputPrice} inputMode="decimal" autoComplete="off" {...form.field("outputPrice")} />
      </div>
    </FormDialog>
  );
}
