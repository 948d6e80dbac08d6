import type { SearchHit } from "../api/types";

/** The text around a match. It is text, whatever is in it. */
export function Snippet({ parts }: { parts: SearchHit["snippet"] }) {
  return parts.map((part, index) => (part.match ? <mark key={index}>{part.text}</mark> : <span key={index}>{part.text}</span>));
}
