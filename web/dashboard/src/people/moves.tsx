// Which company a customer's signed identity took the contact from, and to which.
import { Link } from "wouter";
import type { CompanyMove, List, Ref } from "../api/types";
import { useQuery } from "../api/useQuery";
import { RelativeTime } from "../kit";
import { useOnEvent } from "../sync";
import css from "./people.module.css";
import { texts } from "./texts";

/** The moves of a contact between companies, newest first; nothing where it never moved. */
export function CompanyMoves({ contactId }: { contactId: string }) {
  const { data, reload } = useQuery<List<CompanyMove>>(`/v1/dashboard/contacts/${contactId}/company-moves`);
  // A move comes with a sign-in, or with a contact that is merged into this one.
  useOnEvent((event) => {
    if (event.type === "contact.merged" || (event.type === "contact.updated" && event.changed.includes("companyId"))) reload();
  });
  // The first company of somebody is no move that is worth a line.
  const moves = data?.data.filter(({ from }) => from) ?? [];
  if (moves.length === 0) return null;
  return (
    <ul className={css.moves} aria-label={texts.moves.movesBetweenCompanies}>
      {moves.map(({ id, from, to, movedAt }) => (
        <li key={id}>
          <Named company={from} /> → <Named company={to} />, <RelativeTime at={movedAt} suffix="ago" />
        </li>
      ))}
    </ul>
  );
}

function Named({ company }: { company: Ref | null }) {
  if (!company) return <>{texts.moves.noCompany}</>;
  return company.name ? <Link href={`/companies/${company.id}`}>{company.name}</Link> : <>{texts.moves.goneCompany}</>;
}
