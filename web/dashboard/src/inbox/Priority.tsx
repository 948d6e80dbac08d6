import { ChevronsUp, Equal, ChevronDown, TriangleAlert } from "lucide-react";
import type { ReactElement } from "react";
import type { Priority } from "../api/types";
import styles from "./Priority.module.css";
import { texts } from "./texts";

export const priorityNames: Record<Priority, string> = { urgent: texts.priority.urgent, high: texts.priority.high, medium: texts.priority.medium, low: texts.priority.low };

/** A priority as an icon with its own shape, so that it is not told by colour alone. */
export function PriorityIcon({ priority, silent = false }: { priority: Priority; silent?: boolean }): ReactElement {
  const props = { size: 14, className: styles[priority], ...(silent ? { "aria-hidden": true as const } : { "aria-label": texts.priority.priority(priorityNames[priority]), role: "img" }) };
  if (priority === "urgent") return <TriangleAlert {...props} />;
  if (priority === "high") return <ChevronsUp {...props} />;
  if (priority === "medium") return <Equal {...props} />;
  return <ChevronDown {...props} />;
}
