// A search that lives in the address: what is typed shows at once, and is
// asked for when the keys rest.
import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useSearch } from "wouter";

/** Milliseconds that the keys must rest before a search is asked for. */
const rest = 200;

interface SearchText {
  /** What stands in the field. */
  text: string;
  setText: (text: string) => void;
  /** What to ask for. */
  asked: string;
}

/** Keeps a search in the member `search` of the address. */
export function useSearchText(): SearchText {
  const [location, navigate] = useLocation();
  const asked = new URLSearchParams(useSearch()).get("search") ?? "";
  const [text, setText] = useState(asked);

  // Back and forward change the address behind the field.
  useEffect(() => setText((before) => (before.trim() === asked ? before : asked)), [asked]);

  const isAsked = useEffectEvent((wanted: string) => wanted === asked);
  const ask = useEffectEvent((wanted: string) => {
    // While the next page loads this one is still there, and must not call back.
    if (window.location.pathname === location) navigate(wanted === "" ? location : `${location}?search=${encodeURIComponent(wanted)}`, { replace: true });
  });
  useEffect(() => {
    const wanted = text.trim();
    if (isAsked(wanted)) return;
    const timer = setTimeout(() => ask(wanted), rest);
    return () => clearTimeout(timer);
    // The address itself must not start the clock: going back would be undone.
  }, [text]);

  return { text, setText, asked };
}
