// Articles, their categories and the help centers in the state. They are read
// as a whole when a page asks; until then their events are passed over, except
// for those of articles that are on display.
import { api } from "../api/client";
import type { Article, ArticleCategory, ArticleFigures, HelpCenter, KnowledgeEvent } from "../api/knowledge";
import type { Actor, Page } from "../api/types";
import { Draft, type State } from "./state";
import type { Store } from "./store";

/** The most articles that one request returns. */
const pageSize = 200;

/** Starts to keep articles, so that their events count even before they are read. */
export function openKnowledge(state: State): State {
  return state.knows ? state : { ...state, knows: true };
}

/** The state without articles, because no page shows them. */
export function forgetKnowledge(draft: Draft) {
  draft.state.knows = false;
  draft.state.knowsAll = false;
  draft.state.knowsCenters = false;
  for (const name of ["articles", "articleFigures", "articleCategories", "helpCenters"] as const) if (draft.state[name].size > 0) draft.map(name).clear();
}

export function applyKnowledge(draft: Draft, event: KnowledgeEvent) {
  if (!draft.state.knows) return;
  const { seq } = event;
  switch (event.type) {
    case "article.created":
    case "article.updated":
      return putArticle(draft, event.data, seq, event.actor);
    case "article.deleted":
      draft.bury(event.data.id);
      draft.map("articles").delete(event.data.id);
      return void draft.map("articleFigures").delete(event.data.id);
    case "article_category.created":
    case "article_category.updated":
      return void draft.put("articleCategories", event.data.id, event.data, seq);
    case "article_category.deleted":
      return dropCategory(draft, event.data.id);
    case "help_center.created":
    case "help_center.updated":
      return void draft.put("helpCenters", event.data.productId, event.data, seq);
    case "help_center.deleted":
      return void draft.map("helpCenters").delete(event.data.productId);
  }
}

/** Stores an article. The actor of its event wrote the text that is new in it, if one is. */
function putArticle(draft: Draft, article: Article, seq: number, actor: Actor) {
  const before = draft.state.articles.get(article.id)?.value;
  if (!draft.put("articles", article.id, article, seq)) return;
  if (newestText(before) === newestText(article)) return;
  const figures = draft.state.articleFigures.get(article.id)?.value ?? { articleId: article.id, shown: 0, helped: 0, notHelped: 0 };
  draft.put("articleFigures", article.id, { ...figures, updatedBy: actor }, seq);
}

/** The name of the text that was changed last, with its version; "" for no article. */
function newestText(article: Article | undefined): string {
  if (!article) return "";
  const newest = article.texts.reduce((last, text) => (text.updatedAt > last.updatedAt ? text : last));
  return `${newest.language} ${newest.version}`;
}

/** Its articles left it before, each by an event of its own. */
function dropCategory(draft: Draft, id: string) {
  draft.bury(id);
  draft.map("articleCategories").delete(id);
}

export function ingestArticles(state: State, articles: readonly Article[], seq: number): State {
  const draft = new Draft(state);
  for (const article of articles) {
    const { categoryId } = article;
    draft.put("articles", article.id, categoryId && draft.state.gone.has(categoryId) ? { ...article, categoryId: null } : article, seq);
  }
  return draft.state;
}

export function ingestCategories(state: State, categories: readonly ArticleCategory[], seq: number): State {
  const draft = new Draft(state);
  for (const category of categories) draft.put("articleCategories", category.id, category, seq);
  return draft.state;
}

export function ingestCenters(state: State, centers: readonly HelpCenter[], seq: number): State {
  const draft = new Draft(state);
  for (const center of centers) draft.put("helpCenters", center.productId, center, seq);
  return draft.state;
}

export function ingestFigures(state: State, figures: readonly ArticleFigures[], seq: number): State {
  const draft = new Draft(state);
  for (const one of figures) {
    const known = draft.state.articleFigures.get(one.articleId);
    // An event knows who wrote last, and nothing of readers.
    if (known && known.seq > seq) draft.map("articleFigures").set(one.articleId, { ...known, value: { ...one, updatedBy: known.value.updatedBy } });
    else draft.put("articleFigures", one.articleId, one, seq);
  }
  return draft.state;
}

/** Reads all articles, their figures, the categories and the help centers. */
export function loadKnowledge(store: Store): Promise<void> {
  return store.reading("knowledge", async () => {
    store.state.update(openKnowledge);
    await Promise.all([readAll<Article>(store, "/v1/public/articles", ingestArticles), readAll<ArticleFigures>(store, "/v1/dashboard/articles/figures", ingestFigures), readSmall(store)]);
    store.state.update((state) => (state.knows ? { ...state, knowsAll: true } : state));
  });
}

/** Reads one article with the categories and help centers that its page shows. */
export function loadArticle(store: Store, id: string): Promise<void> {
  return store.reading(`article:${id}`, async () => {
    store.state.update(openKnowledge);
    const [{ data, position }] = await Promise.all([api.read<Article>(`/v1/public/articles/${id}`), readSmall(store)]);
    const seq = store.seqOf(position);
    if (seq !== null) store.state.update((state) => ingestArticles(state, [data], seq));
  });
}

type Ingest<T> = (state: State, items: readonly T[], seq: number) => State;

async function readAll<T>(store: Store, path: string, ingest: Ingest<T>) {
  for (let cursor = "", more = true; more; ) {
    const { data, position } = await api.read<Page<T>>(path, { limit: pageSize, cursor });
    const seq = store.seqOf(position);
    if (seq !== null) store.state.update((state) => ingest(state, data.data, seq));
    cursor = data.next_cursor;
    more = data.has_more;
  }
}

/** Reads the categories and the help centers. */
export function loadCenters(store: Store): Promise<void> {
  return store.reading("centers", async () => {
    store.state.update(openKnowledge);
    await readSmall(store);
  });
}

/** The categories and the help centers: few, compared with the articles. */
async function readSmall(store: Store) {
  await Promise.all([readAll<ArticleCategory>(store, "/v1/public/article-categories", ingestCategories), readAll<HelpCenter>(store, "/v1/public/help-centers", ingestCenters)]);
  store.state.update((state) => (state.knows ? { ...state, knowsCenters: true } : state));
}
