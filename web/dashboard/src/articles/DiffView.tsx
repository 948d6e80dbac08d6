import { useMemo } from "react";
import type { Content } from "../api/knowledge";
import { diffLines, nearChanges, type DiffLine } from "./diff";
import css from "./Diff.module.css";
import { texts } from "./texts";

/** What was removed from one text, and added to get the other. */
export function DiffView({ before, after }: { before: Content; after: Content }) {
  const parts = useMemo(
    () =>
      (
        [
          [texts.diff.title, before.title, after.title],
          [texts.diff.description, before.description, after.description],
          [texts.diff.body, before.body, after.body],
          [texts.diff.keywords, before.keywords.join("\n"), after.keywords.join("\n")],
        ] as const
      )
        .filter(([, old, now]) => old !== now)
        .map(([name, old, now]) => ({ name, lines: nearChanges(diffLines(old, now)) })),
    [before, after],
  );
  if (parts.length === 0) return <p className={css.equal}>{texts.versions.equal}</p>;
  return (
    <div className={css.diff}>
      {parts.map(({ name, lines }) => (
        <section key={name}>
          <h3>{name}</h3>
          <div className={css.lines} tabIndex={0} role="group" aria-label={name}>
            {lines.map((line, index) => (
              <Line key={index} line={line} />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}

function Line({ line }: { line: DiffLine | null }) {
  if (!line) return <div className={css.gap} aria-label={texts.diff.leftOut} role="separator" />;
  if (line.kind === "same") {
    return (
      <p className={css.line} dir="auto">
        {line.text || " "}
      </p>
    );
  }
  const Mark = line.kind === "gone" ? "del" : "ins";
  return (
    <p className={css.line} data-kind={line.kind} dir="auto">
      <Mark>
        <span className="visually-hidden">{texts.diff[line.kind]}: </span>
        {line.text || " "}
      </Mark>
    </p>
  );
}
