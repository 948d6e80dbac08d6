import { useLocation } from "wouter";
import { api } from "../api/client";
import type { Article } from "../api/knowledge";
import { FormDialog, readStored, SelectField, TextField, useForm, writeStored } from "../kit";
import { useArticleCategories, useHelpCenters, useLearn, useProducts } from "../sync";
import { categoryName, languageChoices } from "./languages";
import { texts } from "./texts";

/** Where the next article probably belongs. */
const lastKey = "parley.article-place";

interface Place {
  productId: string;
  categoryId: string;
  language: string;
}

function lastPlace(): Partial<Place> {
  try {
    return JSON.parse(readStored(lastKey) ?? "{}") as Partial<Place>;
  } catch {
    return {};
  }
}

interface Props {
  /** What is known of the article. */
  start?: { title: string; productId: string; language: string; keywords?: readonly string[]; body?: string };
  /** What belongs to creating it; it must not fail. */
  onCreated?: (article: Article) => Promise<void>;
  onClose: () => void;
}

/** Creates an article with a title, and opens it. */
export function NewArticle({ start, onCreated, onClose }: Props) {
  const [, navigate] = useLocation();
  const learn = useLearn();
  const products = useProducts().filter(({ archived }) => !archived);
  const all = useArticleCategories();
  const centers = useHelpCenters();
  const last = lastPlace();
  const known = products.some(({ id }) => id === last.productId) || last.productId === "";
  const first = start?.productId ?? (known ? last.productId : products[0]?.id) ?? "";
  const form = useForm(
    { title: start?.title ?? "", productId: first, categoryId: last.categoryId ?? "", language: (start?.language || last.language) ?? centers.get(first)?.value.languages[0] ?? "en" },
    async ({ title, productId, categoryId, language }) => {
      const place = { productId: productId || null, categoryId: categories.some(({ id }) => id === categoryId) ? categoryId : null };
      const article = await api.post<Article>("/v1/public/articles", { ...place, language, title, ...(start?.keywords && { keywords: start.keywords }), ...(start?.body && { body: start.body }) });
      writeStored(lastKey, JSON.stringify({ productId, categoryId, language }));
      learn("article", article);
      await onCreated?.(article);
      onClose();
      navigate(`/articles/${article.id}/${article.texts[0]?.language ?? language}`);
    },
    ({ title }) => (title.trim() === "" ? { title: texts.newArticle.missing } : {}),
  );
  const { productId } = form.values;
  const categories = all.filter((category) => category.productId === null || category.productId === productId);
  return (
    <FormDialog title={texts.newArticle.title} action={texts.newArticle.create} form={form} onClose={onClose}>
      <TextField label={texts.newArticle.question} hint={texts.newArticle.hint} autoFocus autoComplete="off" maxLength={200} {...form.field("title")} />
      <SelectField
        label={texts.newArticle.product}
        options={[...products.map(({ id, name }) => ({ value: id, label: name })), { value: "", label: texts.list.forAllProducts }]}
        {...form.field("productId")}
      />
      {categories.length > 0 && (
        <SelectField
          label={texts.newArticle.category}
          options={[{ value: "", label: texts.newArticle.noCategory }, ...categories.map(({ id, names }) => ({ value: id, label: categoryName(names) }))]}
          {...form.field("categoryId")}
        />
      )}
      <SelectField label={texts.newArticle.language} options={languageChoices([...centers.values()].flatMap(({ value }) => value.languages))} {...form.field("language")} />
    </FormDialog>
  );
}
