// Marks words in the messages on the screen by the browser's highlights, which do not change the page.
import { useEffect } from "react";
import { fold } from "../kit";
import { splitWords } from "../search/operators";

/** The name of the highlight in the style sheet. */
const name = "found";

/** The places in a text of the words; the last one may be the beginning of a word. */
export function placesOf(text: string, words: readonly string[]): { from: number; to: number }[] {
  const whole = new Set(words);
  const begun = words.at(-1);
  return splitWords(text).flatMap(({ text: word, at }) => {
    const folded = fold(word);
    return whole.has(folded) || (begun !== undefined && folded.startsWith(begun)) ? [{ from: at, to: at + word.length }] : [];
  });
}

/** Marks words in all messages of the element while the component is mounted. Old browsers mark none. */
export function useHighlight(root: string, words: readonly string[]) {
  const key = words.join(" ");
  useEffect(() => {
    const all = typeof CSS === "undefined" ? undefined : CSS.highlights;
    const element = document.querySelector(root);
    if (!all || !element || key === "") return;
    let frame = 0;
    const mark = () => {
      frame = 0;
      const ranges: Range[] = [];
      for (const message of element.querySelectorAll("[data-message]")) rangesIn(message, key.split(" "), ranges);
      all.set(name, new Highlight(...ranges));
    };
    const later = () => (frame ||= requestAnimationFrame(mark));
    const watch = new MutationObserver(later);
    watch.observe(element, { childList: true, characterData: true, subtree: true });
    mark();
    return () => {
      watch.disconnect();
      cancelAnimationFrame(frame);
      all.delete(name);
    };
  }, [root, key]);
}

function rangesIn(message: Element, words: readonly string[], ranges: Range[]) {
  const walk = document.createTreeWalker(message, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    for (const { from, to } of placesOf(node.nodeValue ?? "", words)) {
      const range = new Range();
      range.setStart(node, from);
      range.setEnd(node, to);
      ranges.push(range);
    }
  }
}
