import type { SearchHit } from "../api/types";

/** The text around a match, never interpreted as markup. */
export function Snippet({ parts }: { parts: SearchHit["snippet"] }) {
  return parts.map((part, index) => (part.match ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>));
}
