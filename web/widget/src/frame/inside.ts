/** Where a link leads inside the chat: to another article, or with slug "" to a part of this one; null for other pages. */
export function insideOf(link: Pick<Element, "getAttribute">): { slug: string; part: string } | null {
  const [, path = "", part = ""] = /^([^#]*)#?(.*)$/.exec(link.getAttribute("href") ?? "") ?? [];
  if (path === "") return { slug: "", part };
  const slug = /^(?:\?article=|\/help\/[a-z0-9-]+\/[A-Za-z0-9-]+\/)([a-z0-9-]+)$/.exec(path)?.[1];
  return slug === undefined || slug === "search" ? null : { slug, part };
}
