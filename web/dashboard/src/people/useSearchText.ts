// A search that is part of the address. Typed text shows at once, and is
// searched after a pause.
import { useEffect, useEffectEvent, useState } from "react";
import { useLocation, useSearch } from "wouter";

/** The pause in typing before a search, in milliseconds. */
const rest = 200;

interface SearchText {
  /** The text in the field. */
  text: string;
  setText: (text: string) => void;
  /** The text to search for. */
  asked: string;
}

/** Keeps a search in the parameter `search` of the address. */
export function useSearchText(): SearchText {
  const [location, navigate] = useLocation();
  const asked = new URLSearchParams(useSearch()).get("search") ?? "";
  const [text, setText] = useState(asked);

  // Back and forward change the address without the field.
  useEffect(() => setText((before) => (before.trim() === asked ? before : asked)), [asked]);

  const isAsked = useEffectEvent((wanted: string) => wanted === asked);
  const ask = useEffectEvent((wanted: string) => {
    // While the next page loads, this one is still mounted, and must not navigate back.
    if (window.location.pathname === location) navigate(wanted === "" ? location : `${location}?search=${encodeURIComponent(wanted)}`, { replace: true });
  });
  useEffect(() => {
    const wanted = text.trim();
    if (isAsked(wanted)) return;
    const timer = setTimeout(() => ask(wanted), rest);
    return () => clearTimeout(timer);
    // The address itself must not start the timer: going back would be undone.
  }, [text]);

  return { text, setText, asked };
}
