import { useEffect, useEffectEvent, useState, type RefObject } from "react";

/**
 * Accepts files that are dropped anywhere on the section around an element. Returns whether some are being dragged over
 * it.
 */
export function useDrop(inside: RefObject<HTMLElement | null>, onFiles: (files: FileList) => void): boolean {
  const [over, setOver] = useState(false);
  const dropped = useEffectEvent(onFiles);
  useEffect(() => {
    const zone = inside.current?.closest("section");
    if (!zone) return;
    const withFiles = (act: (event: DragEvent) => void) => (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return; // dragged text goes into the field as usual
      event.preventDefault();
      act(event);
    };
    const hold = withFiles(() => setOver(true));
    const leave = withFiles((event) => {
      if (!(event.relatedTarget instanceof Node && zone.contains(event.relatedTarget))) setOver(false);
    });
    const drop = withFiles((event) => {
      setOver(false);
      if (event.dataTransfer) dropped(event.dataTransfer.files);
    });
    zone.addEventListener("dragover", hold);
    zone.addEventListener("dragleave", leave);
    zone.addEventListener("drop", drop);
    return () => {
      zone.removeEventListener("dragover", hold);
      zone.removeEventListener("dragleave", leave);
      zone.removeEventListener("drop", drop);
    };
  }, [inside]);
  return over;
}
