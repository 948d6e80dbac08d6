// The categories of articles, in the order of the help centers.
import { ArrowDown, ArrowUp, FolderOpen, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "../api/client";
import type { ArticleCategory } from "../api/knowledge";
import { usedLanguages } from "../articles/filter";
import { categoryName, languageName } from "../articles/languages";
import { texts as lists } from "../articles/texts";
import { Button, ConfirmDialog, FormDialog, IconButton, Page, SelectField, TextField, useAction, useForm } from "../kit";
import { useArticleCategories, useHelpCenters, useKnowledge, useLearn, useProducts } from "../sync";
import { texts } from "./knowledge.texts";
import { RowActions, Rows, RowText } from "./parts";

const path = "/v1/public/article-categories";

export function ArticleCategoriesPage() {
  const categories = useArticleCategories();
  const { articles, loading, error, reload } = useKnowledge();
  const products = useProducts();
  const learn = useLearn();
  const { busy, run } = useAction();
  const [editing, setEditing] = useState<ArticleCategory | "new" | null>(null);
  const [deleting, setDeleting] = useState<ArticleCategory | null>(null);
  const count = (id: string) => [...articles.values()].filter(({ value }) => value.categoryId === id).length;
  const name = (category: ArticleCategory | null) => (category ? categoryName(category.names) : "");
  const place = async (category: ArticleCategory, position: number) => learn("articleCategory", await api.patch<ArticleCategory>(`${path}/${category.id}`, { position }));
  /** Numbers all categories as they will stand, because several may have the same position. */
  const move = (from: number, to: number) =>
    void run(async () => {
      const order = [...categories];
      order.splice(to, 0, ...order.splice(from, 1));
      for (const [position, category] of order.entries()) if (category.position !== position) await place(category, position);
    }, lists.details.changedOrder);
  /** Where the nearest one in a direction stands that readers see beside it: of the same product, or of all. */
  const nearest = (at: number, step: number) => {
    const own = categories[at]?.productId ?? null;
    for (let to = at + step; to >= 0 && to < categories.length; to += step) {
      const other = categories[to]?.productId ?? null;
      if (own === null || other === null || own === other) return to;
    }
    return null;
  };
  const remove = async (category: ArticleCategory) => {
    await api.delete(`${path}/${category.id}`);
    learn("articleCategory", category, "deleted");
  };
  return (
    <Page
      title={texts.categories.title}
      description={texts.categories.what}
      actions={
        <Button variant="primary" icon={<Plus size={16} />} onClick={() => setEditing("new")}>
          {texts.categories.newCategory}
        </Button>
      }
    >
      <Rows
        label={texts.categories.title}
        rows={loading && categories.length === 0 ? undefined : categories}
        error={error}
        onRetry={reload}
        keyOf={({ id }) => id}
        empty={{ title: texts.categories.none, text: texts.categories.noneText }}
      >
        {(category) => {
          const at = categories.indexOf(category);
          const [above, below] = [nearest(at, -1), nearest(at, 1)];
          const product = category.productId === null ? lists.list.allProducts : products.find(({ id }) => id === category.productId)?.name;
          return (
            <>
              <FolderOpen size={18} aria-hidden />
              <RowText
                name={name(category)}
                note={[product, Object.keys(category.names).map(languageName).join(", "), !loading && texts.categories.articles(count(category.id))].filter(Boolean).join(" · ")}
              />
              <RowActions>
                <IconButton label={texts.categories.up(name(category))} icon={<ArrowUp size={15} />} disabled={busy || above === null} onClick={() => above !== null && move(at, above)} />
                <IconButton label={texts.categories.down(name(category))} icon={<ArrowDown size={15} />} disabled={busy || below === null} onClick={() => below !== null && move(at, below)} />
                <IconButton label={texts.categories.edit(name(category))} icon={<Pencil size={15} />} onClick={() => setEditing(category)} />
                <IconButton label={texts.categories.delete(name(category))} icon={<Trash2 size={15} />} onClick={() => setDeleting(category)} />
              </RowActions>
            </>
          );
        }}
      </Rows>
      {editing && <CategoryForm category={editing === "new" ? null : editing} onClose={() => setEditing(null)} />}
      <ConfirmDialog
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={texts.categories.deleteTitle(name(deleting))}
        action={texts.categories.deleteAction}
        onConfirm={() => deleting && remove(deleting)}
      >
        {texts.categories.deleteText(deleting ? count(deleting.id) : 0)}
      </ConfirmDialog>
    </Page>
  );
}

function CategoryForm({ category, onClose }: { category: ArticleCategory | null; onClose: () => void }) {
  const learn = useLearn();
  const centers = useHelpCenters();
  const { articles } = useKnowledge();
  const products = useProducts().filter(({ archived }) => !archived);
  const used = usedLanguages(articles, centers);
  const languages = [...new Set([...(used.length > 0 ? used : ["en"]), ...Object.keys(category?.names ?? {})])];
  const form = useForm(
    { names: category?.names ?? {}, productId: category?.productId ?? "" },
    async ({ names, productId }) => {
      const given = Object.fromEntries(Object.entries(names).filter(([, text]) => text.trim() !== ""));
      const body = category ? { names: given } : { names: given, productId: productId || null };
      learn("articleCategory", category ? await api.patch<ArticleCategory>(`${path}/${category.id}`, body) : await api.post<ArticleCategory>(path, body));
      onClose();
    },
    ({ names }) => (Object.values(names).every((text) => text.trim() === "") ? { names: texts.categories.missing } : {}),
  );
  return (
    <FormDialog title={category ? texts.categories.editTitle : texts.categories.newCategory} action={category ? texts.categories.save : texts.categories.create} form={form} onClose={onClose}>
      {languages.map((language, index) => (
        <TextField
          key={language}
          label={texts.categories.name(languageName(language))}
          optional={index > 0}
          autoFocus={index === 0}
          autoComplete="off"
          maxLength={100}
          lang={language}
          error={index === 0 ? form.errors.names : undefined}
          value={form.values.names[language] ?? ""}
          onChange={(text) => form.set("names", { ...form.values.names, [language]: text })}
        />
      ))}
      {!category && (
        <SelectField
          label={texts.categories.product}
          hint={texts.categories.productHint}
          options={[{ value: "", label: lists.list.forAllProducts }, ...products.map(({ id, name }) => ({ value: id, label: name }))]}
          {...form.field("productId")}
        />
      )}
    </FormDialog>
  );
}
