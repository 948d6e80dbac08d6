// The pages for articles.
export { ArticlesPage } from "./ArticlesPage";
export { EditorPage } from "./EditorPage";
export { GapsPage } from "./GapsPage";
export { NewArticle } from "./NewArticle";
