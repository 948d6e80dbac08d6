import { useEffect } from "react";
import { texts } from "./texts";

/** What the window is called: the page, and how many conversations are to be read. */
export function titleText(page: string, toRead: number): string {
  const name = page === "" ? texts.title.parley : texts.title.page(page);
  return toRead > 0 ? texts.title.toRead(toRead > 99 ? "99+" : String(toRead), name) : name;
}

const shown = { page: "", toRead: 0 };

function show() {
  document.title = titleText(shown.page, shown.toRead);
}

/** Names the window after the page. */
export function useTitle(page: string) {
  useEffect(() => {
    shown.page = page;
    show();
  }, [page]);
}

/** Puts into the window's name how many conversations are to be read. */
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
