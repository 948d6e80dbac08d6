// The figures of the automated agent by product, as tables. The name of a product
// shows only that one.
import type { AgentBudget, AgentFigures, AgentReport } from "../../../shared/api.gen";
import { locale } from "../kit/texts";
import { useProducts } from "../sync";
import { texts } from "./agent.texts";
import { money, moneyText, tokensOf } from "./agentrows";
import css from "./reports.module.css";

const counts = ["met", "confirmed", "answered", "cards", "askedBack", "handedOver", "unanswered", "taken", "unfinished"] as const;

export function AgentTable({ report, onProduct }: { report: AgentReport; onProduct: (id: string) => void }) {
  return (
    <Numbers
      name={texts.table}
      caption={texts.tableCaption}
      heads={counts.map((name) => texts.columns[name])}
      rows={report.products.map(({ productId, figures }) => ({ productId, cells: countCells(figures) }))}
      total={countCells(report.total)}
      onProduct={onProduct}
    />
  );
}

/** What models cost; nothing for whom that is not shown. */
export function CostTable({ report, onProduct }: { report: AgentReport; onProduct: (id: string) => void }) {
  if (report.total.spend === null) return null;
  const { tokens, cost, memberCost, left } = texts.columns;
  return (
    <Numbers
      name={texts.costTable}
      caption={texts.costCaption}
      heads={[tokens, cost, memberCost, left]}
      rows={report.products.map(({ productId, figures, budget }) => ({ productId, cells: [...costCells(figures), budget ? leftText(budget) : ""] }))}
      total={[...costCells(report.total), ""]}
      onProduct={onProduct}
    />
  );
}

interface NumbersProps {
  name: string;
  caption: string;
  heads: readonly string[];
  rows: readonly { productId: string; cells: readonly string[] }[];
  total: readonly string[];
  onProduct: (id: string) => void;
}

function Numbers({ name, caption, heads, rows, total, onProduct }: NumbersProps) {
  const products = useProducts();
  const nameOf = (id: string) => products.find((product) => product.id === id)?.name ?? texts.deleted;
  const numbers = (cells: readonly string[]) =>
    cells.map((cell, n) => (
      <td key={heads[n]} className={css.number}>
        {cell}
      </td>
    ));
  return (
    <div className={css.scroll} tabIndex={0} role="region" aria-label={name}>
      <table className={css.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" rowSpan={1}>
              {texts.product}
            </th>
            {heads.map((head) => (
              <th key={head} scope="col" className={css.number}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ productId, cells }) => (
            <tr key={productId}>
              <th scope="row">
                <button type="button" className={css.item} title={texts.only(nameOf(productId))} onClick={() => onProduct(productId)}>
                  {nameOf(productId)}
                </button>
              </th>
              {numbers(cells)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.total}</th>
            {numbers(total)}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function countCells(figures: AgentFigures): string[] {
  return counts.map((name) => figures[name].toLocaleString(locale));
}

function costCells({ spend }: AgentFigures): string[] {
  return [tokensOf(spend, "agentTokens", "memberTokens").toLocaleString(locale), moneyText(spend, "agentCost") || "–", moneyText(spend, "memberCost") || "–"];
}

/** What is left of a budget today: of the money if that is limited, and of the tokens. */
function leftText({ dailyTokens, tokensLeft, currency, dailyCost, costLeft }: AgentBudget): string {
  const tokens = texts.tokensLeft(tokensLeft.toLocaleString(locale), dailyTokens.toLocaleString(locale));
  if (dailyCost === null || costLeft === null || currency === null) return tokens;
  return `${texts.costLeft(money(costLeft, currency), money(dailyCost, currency))} · ${tokens}`;
}
