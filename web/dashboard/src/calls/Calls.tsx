import { useEffect, useState } from "react";
import { useToReadTitle } from "../kit";
import { script } from "../kit/chunk";
import { useCounts, useLineState } from "../sync";
import { iconAddress, showIcon } from "./icon";

const alerts = script(() => import("./Alerts"));

/**
 * Alerts the member: in the title and icon of the window and, if they chose so, by a sound and a desktop notification.
 */
export function Calls() {
  const toRead = useCounts()?.toRead ?? 0;
  useToReadTitle(toRead);
  useEffect(() => {
    showIcon(iconAddress(toRead));
    return () => showIcon(iconAddress(0));
  }, [toRead]);
  const line = useLineState();
  const [arrived, setArrived] = useState<Awaited<ReturnType<typeof alerts>>>(null);
  useEffect(() => {
    // What could not be fetched without a connection is fetched with it.
    if (line === "live") void alerts().then((part) => part && setArrived(part));
  }, [line]);
  return arrived && <arrived.Alerts />;
}
