// The list of articles.
import { BookOpen, CircleHelp, FilePlus2, SearchX } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { Button, ButtonLink, EmptyState, ErrorState, Page, SearchField, SelectField, SkeletonRows, useNarrow, VirtualList } from "../kit";
import { useCommand } from "../shell/commands";
import { useArticleCategories, useHelpCenters, useKnowledge, useMe, useProducts } from "../sync";
import { articleAddress, filterAddress, filterIn, listed, usedLanguages, type ArticleFilter } from "./filter";
import { texts as gapTexts } from "./gaps.texts";
import { categoryName, languageName } from "./languages";
import css from "./ArticleList.module.css";
import { NewArticle } from "./NewArticle";
import { OrPlainArticleRow } from "./Row";
import { texts } from "./texts";

export function ArticlesPage() {
  const { articles, figures, loading, error, reload } = useKnowledge();
  const centers = useHelpCenters();
  const [, navigate] = useLocation();
  const search = useSearch();
  const filter = useMemo(() => filterIn(new URLSearchParams(search)), [search]);
  const rows = useMemo(() => listed(articles, filter), [articles, filter]);
  const [creating, setCreating] = useState(false);
  const [cursor, setCursor] = useState<string>();
  const at = rows.findIndex(({ id }) => id === cursor);
  const step = (by: 1 | -1) => () => {
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))];
    if (!next) return;
    setCursor(next.id);
    document.querySelector<HTMLElement>(`[data-row="${next.id}"]`)?.focus({ preventScroll: true });
  };
  useEffect(() => {
    // The row may have been rendered only now.
    if (cursor) document.querySelector<HTMLElement>(`[data-row="${cursor}"]`)?.focus({ preventScroll: true });
  }, [cursor]);
  useCommand("next", rows.length > 0 ? step(1) : null, texts.list.next);
  useCommand("previous", rows.length > 0 ? step(-1) : null, texts.list.previous);
  useCommand("newArticle", () => setCreating(true));
  const change = (changes: ArticleFilter) => navigate(filterAddress({ ...filter, ...changes }), { replace: true });
  const seesAll = useMe().access === "all"; // gaps are words from all conversations
  const filtered = Object.keys(filter).length > 0;
  return (
    <Page
      full
      title={texts.list.title}
      actions={
        <>
          {seesAll && (
            <ButtonLink href="/articles/gaps" icon={<CircleHelp size={16} />}>
              {gapTexts.open}
            </ButtonLink>
          )}
          <Button variant="primary" icon={<FilePlus2 size={16} />} onClick={() => setCreating(true)}>
            {texts.list.newArticle}
          </Button>
        </>
      }
    >
      <div className={css.body}>
        <Filters filter={filter} onChange={change} languages={usedLanguages(articles, centers)} />
        <p className="visually-hidden" role="status">
          {loading ? texts.list.loading : texts.list.shown(rows.length)}
        </p>
        {rows.length > 0 ? (
          <VirtualList
            className={css.list}
            label={texts.list.title}
            count={rows.length}
            estimate={66}
            keyOf={(index) => rows[index]?.id ?? String(index)}
            current={at}
            row={(index) => {
              const article = rows[index];
              if (!article) return null;
              const href = articleAddress(article, centers, filter.language);
              return <OrPlainArticleRow article={article} figures={figures.get(article.id)?.value} href={href} cursor={article.id === cursor} wanted={filter.language ?? ""} />;
            }}
          />
        ) : loading ? (
          <SkeletonRows count={10} avatar={false} />
        ) : error !== undefined ? (
          <ErrorState error={error} onRetry={reload} />
        ) : filtered ? (
          <EmptyState icon={<SearchX size={20} />} title={texts.list.nothingFound} action={<Button onClick={() => navigate("/articles", { replace: true })}>{texts.list.showAll}</Button>} />
        ) : (
          <EmptyState
            icon={<BookOpen size={20} />}
            title={texts.list.none}
            action={
              <Button variant="primary" onClick={() => setCreating(true)}>
                {texts.list.writeTheFirst}
              </Button>
            }
          >
            {texts.list.whatFor}
          </EmptyState>
        )}
      </div>
      {creating && <NewArticle onClose={() => setCreating(false)} />}
    </Page>
  );
}

interface FiltersProps {
  filter: ArticleFilter;
  languages: readonly string[];
  onChange: (changes: ArticleFilter) => void;
}

/** The controls above the list. A phone shows the search, and the others when they are asked for. */
function Filters({ filter, languages, onChange }: FiltersProps) {
  const products = useProducts();
  const categories = useArticleCategories();
  const narrow = useNarrow(860);
  const chosen = Object.keys(filter).filter((name) => name !== "search").length;
  const [open, setOpen] = useState(chosen > 0);
  const shown = categories.filter(({ id, productId }) => !filter.productId || productId === null || productId === filter.productId || id === filter.categoryId);
  const productName = (id: string | null) => products.find((product) => product.id === id)?.name;
  const any = (label: string) => ({ value: "", label });
  const select = (name: Exclude<keyof ArticleFilter, "search">, label: string, options: readonly { value: string; label: string }[]) => (
    <SelectField label={label} hideLabel value={filter[name] ?? ""} options={options} onChange={(value) => onChange({ [name]: value })} data-chosen={filter[name] ? true : undefined} />
  );
  const named = languages.map((value) => ({ value, label: languageName(value) }));
  return (
    <div className={css.filters}>
      <SearchField
        className={css.search ?? ""}
        label={texts.list.search}
        placeholder={texts.list.search}
        autoComplete="off"
        value={filter.search ?? ""}
        onChange={(value) => onChange({ search: value })}
      />
      {narrow && (
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          {texts.list.filters(chosen)}
        </Button>
      )}
      {(open || !narrow) && (
        <div className={css.selects}>
          {select("productId", texts.list.product, [any(texts.list.anyProduct), ...products.map(({ id, name }) => ({ value: id, label: name })), { value: "none", label: texts.list.forAllProducts }])}
          {select("categoryId", texts.list.category, [
            any(texts.list.anyCategory),
            ...shown.map(({ id, names, productId }) => ({ value: id, label: filter.productId ? categoryName(names) : [categoryName(names), productName(productId)].filter(Boolean).join(" · ") })),
            { value: "none", label: texts.list.withoutCategory },
          ])}
          {select("state", texts.list.state, [any(texts.list.anyState), ...(["draft", "published", "changed", "archived"] as const).map((value) => ({ value, label: texts.states[value] }))])}
          {select("language", texts.list.language, [any(texts.list.anyLanguage), ...named])}
          {select("missing", texts.list.missing, [any(texts.list.anyTranslation), ...named.map(({ value, label }) => ({ value, label: texts.list.notIn(label) }))])}
        </div>
      )}
    </div>
  );
}
