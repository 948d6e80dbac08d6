// The moves of a contact between companies, by the customer's signed identity.
import { Link } from "wouter";
import type { CompanyMove, List, Ref } from "../api/types";
import { useQuery } from "../api/useQuery";
import { RelativeTime } from "../kit";
import { useOnEvent } from "../sync";
import css from "./people.module.css";
import { texts } from "./texts";

/** The moves of a contact between companies, newest first; nothing if there are none. */
export function CompanyMoves({ contactId }: { contactId: string }) {
  const { data, reload } = useQuery<List<CompanyMove>>(`/v1/dashboard/contacts/${contactId}/company-moves`);
  // A move is caused by a sign-in, or by merging a contact into this one.
  useOnEvent((event) => {
    if (event.type === "contact.merged" || (event.type === "contact.updated" && event.changed.includes("companyId"))) reload();
  });
  // The first company of a contact is not shown as a move.
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
