// The budgets of a number and how much of them is used. Limits are edited in
// place.
import { useEffect, useState, type KeyboardEvent } from "react";
import { api, errorText } from "../api/client";
import type { Budget, ChatNumber } from "../api/numbers";
import type { List } from "../api/types";
import { useQuery } from "../api/useQuery";
import { Button, ErrorState, inputClass, SkeletonRows } from "../kit";
import { budgetNames, fullness, limitOf, usedText } from "./budget";
import css from "./settings.module.css";
import { texts } from "./numbers.texts";
import { locale } from "../kit/texts";

/** How often the used amounts are read while they are on display. */
const pollPause = 10_000;

export function BudgetsPanel({ number, onClose }: { number: ChatNumber; onClose: () => void }) {
  const path = `/v1/dashboard/numbers/${number.id}/budgets`;
  const { data, error, reload, set } = useQuery<List<Budget>>(path);
  useEffect(() => {
    const timer = setInterval(reload, pollPause);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <section className={css.below} aria-label={texts.budgets.limits(number.phone)}>
      <div className={css.stack}>
        <h3>{texts.budgets.title}</h3>
        <p className={css.quiet}>{number.driver === "sandbox" ? texts.budgets.aSandboxNumberHasNone : texts.budgets.theyKeepTheNumber}</p>
      </div>
      {data === undefined && error === undefined && <SkeletonRows count={3} avatar={false} />}
      {data === undefined && error !== undefined && <ErrorState error={error} onRetry={reload} />}
      {data && (
        <div className={css.limits}>
          {data.data.map((budget) => (
            <Limit key={budget.budget} budget={budget} onSave={async (limit) => set(await api.patch<List<Budget>>(path, { [budget.budget]: limit }))} />
          ))}
        </div>
      )}
      <div className={css.buttons}>
        <Button onClick={onClose}>{texts.budgets.close}</Button>
      </div>
    </section>
  );
}

function Limit({ budget, onSave }: { budget: Budget; onSave: (limit: number | null) => Promise<void> }) {
  const shown = budget.limit === null ? "" : String(budget.limit);
  const [draft, setDraft] = useState<string | null>(null);
  const [fault, setFault] = useState("");
  const name = budgetNames[budget.budget];

  async function save() {
    if (draft === null) return;
    const limit = limitOf(draft);
    if (limit === undefined) return setFault(texts.budgets.wrongLimit);
    try {
      if (draft.trim() !== shown) await onSave(limit);
      setDraft(null);
      setFault("");
    } catch (error) {
      setFault(errorText(error));
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Enter") void save();
    if (event.key === "Escape" && draft !== null) {
      event.stopPropagation();
      setDraft(null);
      setFault("");
    }
  }

  const full = fullness(budget);
  const usual = budget.default === null ? texts.budgets.none : budget.default.toLocaleString(locale);
  return (
    <div className={css.limit}>
      <span className={css.limitName}>{name}</span>
      <svg className={css.meter} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden data-full={full === 1 || undefined}>
        <rect width={full * 100} height="6" />
      </svg>
      <span className={css.used}>{usedText(budget)}</span>
      <input
        className={inputClass}
        inputMode="numeric"
        autoComplete="off"
        aria-label={texts.budgets.limit(name)}
        aria-invalid={fault !== "" || undefined}
        title={texts.budgets.usuallyEmpty(usual)}
        placeholder={budget.limit === null ? texts.budgets.none : usual}
        value={draft ?? shown}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={() => void save()}
        onKeyDown={onKeyDown}
      />
      <span role="alert" className={css.fault} hidden={fault === ""}>
        {fault}
      </span>
    </div>
  );
}
