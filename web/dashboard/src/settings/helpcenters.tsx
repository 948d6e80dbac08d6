// The public pages of each product.
import { ExternalLink, LifeBuoy, Pencil, Plus, Trash2, X } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { HelpCenter } from "../api/knowledge";
import type { Product } from "../api/types";
import { languageChoices, languageName } from "../articles/languages";
import { Badge, Button, Checkbox, ConfirmDialog, Field, FormDialog, HexColorField, IconButton, Page, Picker, TextField, useForm } from "../kit";
import { useHelpCenters, useKnowledge, useLearn, useProducts } from "../sync";
import css from "./knowledge.module.css";
import { texts } from "./knowledge.texts";
import { RowActions, Rows, RowText } from "./parts";

const path = (productId: string) => `/v1/public/help-centers/${productId}`;

export function HelpCentersPage() {
  const centers = useHelpCenters();
  const { loading, error, reload } = useKnowledge();
  const products = useProducts().filter(({ id, archived }) => !archived || centers.has(id));
  const [editing, setEditing] = useState<Product | null>(null);
  const [deleting, setDeleting] = useState<Product | null>(null);
  const learn = useLearn();
  const remove = async ({ id }: Product) => {
    const center = await api.delete<HelpCenter>(path(id));
    learn("helpCenter", center, "deleted");
  };
  return (
    <Page title={texts.centers.title} description={texts.centers.what}>
      <Rows
        label={texts.centers.title}
        rows={loading && centers.size === 0 ? undefined : products}
        error={error}
        onRetry={reload}
        keyOf={({ id }) => id}
        empty={{ title: texts.centers.noProducts, text: texts.centers.noProductsText }}
      >
        {(product) => {
          const center = centers.get(product.id)?.value;
          return (
            <>
              <LifeBuoy size={18} aria-hidden />
              <RowText
                name={product.name}
                badges={center && <Badge tone={center.enabled ? "ok" : "neutral"}>{center.enabled ? texts.centers.on : texts.centers.off}</Badge>}
                note={center ? texts.centers.note(center.title, center.slug, center.languages.map(languageName).join(", ")) : texts.centers.none}
              />
              <RowActions>
                {center ? (
                  <>
                    {center.enabled && (
                      <a className={css.open} href={`/help/${center.slug}`} target="_blank" rel="noopener" aria-label={texts.centers.open(center.title)}>
                        <ExternalLink size={15} aria-hidden />
                      </a>
                    )}
                    <IconButton label={texts.centers.edit(product.name)} icon={<Pencil size={15} />} onClick={() => setEditing(product)} />
                    <IconButton label={texts.centers.delete(product.name)} icon={<Trash2 size={15} />} onClick={() => setDeleting(product)} />
                  </>
                ) : (
                  <Button size="sm" icon={<Plus size={14} />} aria-label={texts.centers.createFor(product.name)} onClick={() => setEditing(product)}>
                    {texts.centers.create}
                  </Button>
                )}
              </RowActions>
            </>
          );
        }}
      </Rows>
      {editing && <CenterForm product={editing} center={centers.get(editing.id)?.value} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={`${texts.centers.delete(deleting?.name ?? "")}?`}
        action={texts.centers.deleteAction}
        onConfirm={() => deleting && remove(deleting)}
      >
        {texts.centers.deleteText}
      </ConfirmDialog>
    </Page>
  );
}

/** The address that a product's name suggests. */
function slugOf(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
}

/** The colour of a new help center, as of a new chat. */
const usual = "#1d4ed8"; // the server's default

function CenterForm({ product, center, onClose }: { product: Product; center: HelpCenter | undefined; onClose: () => void }) {
  const learn = useLearn();
  const form = useForm(
    {
      title: center?.title ?? product.name,
      slug: center?.slug ?? slugOf(product.name),
      languages: center?.languages ?? ["en"],
      color: center?.color ?? usual,
      enabled: center?.enabled ?? true,
    },
    async (values) => {
      learn("helpCenter", await api.put<HelpCenter>(path(product.id), values));
      onClose();
    },
    ({ title }) => (title.trim() === "" ? { title: texts.centers.title2 } : {}),
  );
  const { slug } = form.values;
  const address = form.field("slug");
  return (
    <FormDialog title={texts.centers.formTitle(product.name)} action={center ? texts.centers.save : texts.centers.create} form={form} onClose={onClose} wide>
      <TextField label={texts.centers.pageTitle} hint={texts.centers.pageTitleHint} autoFocus autoComplete="off" maxLength={100} {...form.field("title")} />
      <TextField
        label={texts.centers.address}
        hint={texts.centers.addressHint(location.origin, slug)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        {...address}
        onChange={(text) => address.onChange(text.toLowerCase().replace(/\s+/g, "-"))}
      />
      <Languages {...form.field("languages")} />
      <HexColorField label={texts.centers.colour} pickLabel={texts.centers.pickAColour} usual={usual} {...form.field("color")} />
      <Checkbox label={texts.centers.enabled} hint={texts.centers.enabledHint} checked={form.values.enabled} onChange={(enabled) => form.set("enabled", enabled)} />
    </FormDialog>
  );
}

/** The languages of the pages, the default one first. */
function Languages({ value, onChange, error }: { value: readonly string[]; onChange: (value: string[]) => void; error: string | undefined }) {
  const choices = languageChoices([]).filter((choice) => !value.includes(choice.value));
  return (
    <Field label={texts.centers.languages} hint={texts.centers.languagesHint} error={error}>
      {({ id, ...wiring }) => (
        <div id={id} className={css.languages} role="group" aria-label={texts.centers.languages} {...wiring}>
          {value.map((language, index) => (
            <span key={language} className={css.language}>
              {languageName(language)}
              {index === 0 ? (
                <Badge tone="accent">{texts.centers.default}</Badge>
              ) : (
                <Button size="sm" variant="ghost" aria-label={texts.centers.makeDefault(languageName(language))} onClick={() => onChange([language, ...value.filter((other) => other !== language)])}>
                  {texts.centers.setDefault}
                </Button>
              )}
              {value.length > 1 && (
                <IconButton size="sm" label={texts.centers.remove(languageName(language))} icon={<X size={13} />} onClick={() => onChange(value.filter((other) => other !== language))} />
              )}
            </span>
          ))}
          {value.length < 20 && (
            <Picker
              label={texts.centers.addLanguage}
              choices={choices}
              value=""
              onChange={(language) => onChange([...value, language])}
              button={
                <Button size="sm" icon={<Plus size={14} />}>
                  {texts.centers.addLanguage}
                </Button>
              }
            />
          )}
        </div>
      )}
    </Field>
  );
}
