import { useLayoutEffect, type RefObject } from "react";

/** Makes a box as high as its text. */
export function useAutoHeight(box: RefObject<HTMLTextAreaElement | null>, text: string) {
  useLayoutEffect(() => {
    const area = box.current;
    if (!area) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight}px`;
  }, [box, text]);
}
