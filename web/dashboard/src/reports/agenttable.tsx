// The figures of the automated agent by product, as a table. The name of a product
// shows only that one.
import type { AgentBudget, AgentFigures, AgentReport } from "../../../shared/api.gen";
import { locale } from "../kit/texts";
import { useProducts } from "../sync";
import { texts } from "./agent.texts";
import { money, moneyText, tokensOf } from "./agentrows";
import css from "./reports.module.css";

const counts = ["met", "confirmed", "answered", "cards", "askedBack", "handedOver", "unanswered", "taken", "unfinished"] as const;

export function AgentTable({ report, onProduct }: { report: AgentReport; onProduct: (id: string) => void }) {
  const products = useProducts();
  const costs = report.total.spend !== null;
  return (
    <div className={css.scroll} tabIndex={0} role="region" aria-label={texts.table}>
      <table className={css.table}>
        <caption className="visually-hidden">{texts.tableCaption}</caption>
        <thead>
          <tr>
            <th scope="col" rowSpan={1}>
              {texts.product}
            </th>
            {counts.map((name) => (
              <Head key={name} text={texts.columns[name]} />
            ))}
            {costs && (
              <>
                <Head text={texts.columns.tokens} />
                <Head text={texts.columns.cost} />
                <Head text={texts.columns.memberCost} />
                <Head text={texts.columns.left} />
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {report.products.map(({ productId, figures, budget }) => {
            const name = products.find(({ id }) => id === productId)?.name ?? texts.deleted;
            return (
              <tr key={productId}>
                <th scope="row">
                  <button type="button" className={css.item} title={texts.only(name)} onClick={() => onProduct(productId)}>
                    {name}
                  </button>
                </th>
                <Cells figures={figures} />
                {costs && <td className={css.number}>{budget && leftText(budget)}</td>}
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{texts.total}</th>
            <Cells figures={report.total} />
            {costs && <td />}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Head({ text }: { text: string }) {
  return (
    <th scope="col" className={css.number}>
      {text}
    </th>
  );
}

function Cells({ figures }: { figures: AgentFigures }) {
  const { spend } = figures;
  return (
    <>
      {counts.map((name) => (
        <td key={name} className={css.number}>
          {figures[name].toLocaleString(locale)}
        </td>
      ))}
      {spend !== null && (
        <>
          <td className={css.number}>{tokensOf(spend, "agentTokens", "memberTokens").toLocaleString(locale)}</td>
          <td className={css.number}>{moneyText(spend, "agentCost") || "–"}</td>
          <td className={css.number}>{moneyText(spend, "memberCost") || "–"}</td>
        </>
      )}
    </>
  );
}

/** What is left of a budget today: of the money if that is limited, and of the tokens. */
function leftText({ dailyTokens, tokensLeft, currency, dailyCost, costLeft }: AgentBudget): string {
  const tokens = texts.tokensLeft(tokensLeft.toLocaleString(locale), dailyTokens.toLocaleString(locale));
  if (dailyCost === null || costLeft === null || currency === null) return tokens;
  return `${texts.costLeft(money(costLeft, currency), money(dailyCost, currency))} · ${tokens}`;
}
