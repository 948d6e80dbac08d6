import type { CannedAnswer } from "../api/types";
import { useCannedAnswers } from "../sync";
import { fitting, shortcutAt } from "./canned";
import { OfferList, useOffers, type Offers } from "./offers";
import { texts } from "./texts";

/**
 * Offers the canned answers that match the "/shortcut" before the caret; `onInsert` replaces that part of the text with
 * one.
 */
export function useCannedChoice(text: string, onInsert: (answer: CannedAnswer, from: number, to: number) => void): Offers<CannedAnswer> {
  const answers = useCannedAnswers();
  return useOffers({ askedAt: (caret) => shortcutAt(text, caret), fitting: (query) => fitting(answers, query), onInsert });
}

export function CannedList({ choice }: { choice: Offers<CannedAnswer> }) {
  const render = ({ shortcut, content }: CannedAnswer) => (
    <>
      <b>/{shortcut}</b>
      <span>{content}</span>
    </>
  );
  return <OfferList offers={choice} label={texts.cannedList.cannedAnswers} render={render} />;
}
