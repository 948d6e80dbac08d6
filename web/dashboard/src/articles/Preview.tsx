import { useEffect, useRef, useState } from "react";
import { api, errorText } from "../api/client";
import type { Article, Content } from "../api/knowledge";
import { useHelpCenters } from "../sync";
import css from "./Editor.module.css";
import prose from "./Prose.module.css";
import { publicPath } from "./languages";
import { texts } from "./texts";

/** The pause in writing before the preview follows, in ms. */
const pause = 150;

interface Props {
  article: Article;
  language: string;
  content: Content;
}

/**
 * What readers see, as the server renders it. It is in a frame of its own that runs no scripts, so that nothing of the
 * text can reach the page.
 */
export function Preview({ article, language, content }: Props) {
  const { html, error } = useRendered(content.body);
  const frame = useRef<HTMLIFrameElement>(null);
  const [ready, setReady] = useState(false);
  const centers = useHelpCenters();
  const center = [...centers.values()].map(({ value }) => value).find(({ productId }) => article.productId === null || productId === article.productId);
  const base = center ? publicPath(center, language, "") : "";
  useEffect(() => {
    const page = frame.current?.contentDocument;
    if (ready && page) show(page, { ...content, html, base, language });
  }, [ready, content, html, base, language]);
  useTheme(frame, ready);
  return (
    <div className={css.preview}>
      {error !== undefined && (
        <p className={css.fault} role="alert">
          {texts.preview.failed} {errorText(error)}
        </p>
      )}
      <iframe
        ref={frame}
        className={css.frame}
        title={texts.preview.title}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        srcDoc="<!doctype html><html><head></head><body></body></html>"
        onLoad={({ currentTarget }) => {
          if (currentTarget.contentDocument) dress(currentTarget.contentDocument);
          setReady(true);
        }}
      />
    </div>
  );
}

/** The HTML of a body, a moment after the last change; the last one until then. */
function useRendered(body: string): { html: string; error: unknown } {
  const [rendered, setRendered] = useState<{ html: string; error: unknown }>({ html: "", error: undefined });
  const first = useRef(true);
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(
      () => {
        first.current = false;
        api.post<{ html: string }>("/v1/dashboard/articles/preview", { body }, { signal: abort.signal }).then(
          ({ html }) => setRendered({ html, error: undefined }),
          (error: unknown) => !abort.signal.aborted && setRendered((old) => ({ ...old, error })),
        );
      },
      first.current ? 0 : pause,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [body]);
  return rendered;
}

/** Gives the frame the styles of the page. */
function dress(page: Document) {
  for (const sheet of document.querySelectorAll("link[rel=stylesheet], style")) page.head.append(page.importNode(sheet, true));
  page.body.className = prose.prose ?? "";
}

function show(page: Document, { title, description, html, base, language }: { title: string; description: string; html: string; base: string; language: string }) {
  const heading = page.createElement("h1");
  heading.textContent = title;
  const lead = page.createElement("p");
  lead.className = prose.lead ?? "";
  lead.textContent = description;
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const link of body.querySelectorAll("a")) point(link, base);
  page.documentElement.lang = language;
  page.body.dir = "auto";
  page.body.replaceChildren(heading, ...(description ? [lead] : []), ...body.childNodes);
}

/** A link opens in a tab of its own. One to another article leads into the help center, if there is one. */
function point(link: HTMLAnchorElement, base: string) {
  const address = link.getAttribute("href") ?? "";
  if (address.startsWith("#")) return;
  const relative = !/^[a-z][a-z0-9+.-]*:|^\//i.test(address);
  if (relative && base === "") return link.removeAttribute("href");
  if (relative) link.setAttribute("href", base + address);
  link.target = "_blank";
  link.rel = "noopener";
}

/** The frame has the theme of the page. */
function useTheme(frame: React.RefObject<HTMLIFrameElement | null>, ready: boolean) {
  useEffect(() => {
    const root = frame.current?.contentDocument?.documentElement;
    if (!ready || !root) return;
    const follow = () => {
      const { theme } = document.documentElement.dataset;
      if (theme) root.dataset.theme = theme;
      else delete root.dataset.theme;
    };
    follow();
    const watch = new MutationObserver(follow);
    watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => watch.disconnect();
  }, [frame, ready]);
}
