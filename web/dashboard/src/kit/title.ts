import { useEffect } from "react";
import { texts } from "./texts";

/** The title of the window: the page, and the number of unread conversations. */
export function titleText(page: string, toRead: number): string {
  const name = page === "" ? texts.title.parley : texts.title.page(page);
  return toRead > 0 ? texts.title.toRead(toRead > 99 ? "99+" : String(toRead), name) : name;
}

const shown = { page: "", toRead: 0 };

function show() {
  document.title = titleText(shown.page, shown.toRead);
}

/** Sets the title of the window to that of the page. */
export function useTitle(page: string) {
  useEffect(() => {
    shown.page = page;
    show();
  }, [page]);
}

/** Adds the number of unread conversations to the title of the window. */
export function useToReadTitle(toRead: number) {
  useEffect(() => {
    shown.toRead = toRead;
    show();
    return () => {
      shown.toRead = 0;
      show();
    };
  }, [toRead]);
}
