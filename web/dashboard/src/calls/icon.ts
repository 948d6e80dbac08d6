const plain = "/assets/icon.svg";

/** The colours of public/assets/icon.svg and its badge: a picture of its own, which the tokens do not reach. */
const brand = "#0f6b5a"; // as in icon.svg
const badge = "#c62f2f"; // readable below white
const ink = "#fff"; // as in icon.svg

/** The window's icon with a badge for the unread count, as a data URL. */
export function iconAddress(toRead: number): string {
  if (toRead === 0) return plain;
  const text = toRead > 9 ? "9+" : String(toRead);
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${brand}"/><path d="M8 9.5A2.5 2.5 0 0 1 10.5 7h7a2.5 2.5 0 0 1 2.500 2.500v4a2.500 2.500 0 0 1-2.500 2.500H13l-3.200 2.700c-.7.600-1.800.100-1.800-.8z" fill="${ink}"/><circle cx="21.500" cy="21.500" r="10.500" fill="${badge}"/><text x="21.500" y="26.500" font-family="sans-serif" font-size="${text.length > 1 ? 13 : 15}" font-weight="700" fill="${ink}" text-anchor="middle">${text}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
}

export function showIcon(address: string) {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link && link.getAttribute("href") !== address) link.href = address;
}
