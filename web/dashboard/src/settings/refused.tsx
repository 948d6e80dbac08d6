// The last refused identities, each with its reason, which only the company may
// know.
import { RefreshCw } from "lucide-react";
import type { List, RejectedIdentity } from "../api/types";
import { useQuery } from "../api/useQuery";
import { IconButton, RelativeTime, Section } from "../kit";
import { useInboxes } from "../sync";
import { Rows, RowText } from "./parts";
import css from "./settings.module.css";
import { texts } from "./texts";

export function RefusedIdentities() {
  const { data, error, reload } = useQuery<List<RejectedIdentity>>("/v1/dashboard/identity-rejections");
  const inboxes = useInboxes();
  const rows = data?.data.map((row, index) => ({ ...row, key: `${row.at} ${index}` }));
  return (
    <Section
      title={texts.refused.refusedIdentities}
      description={texts.refused.theLast50CustomersDo}
      actions={<IconButton label={texts.refused.refresh} icon={<RefreshCw size={15} />} onClick={reload} />}
    >
      <Rows label={texts.refused.refusedIdentities} rows={rows} error={error} onRetry={reload} keyOf={(row) => row.key} empty={{ title: texts.refused.none, text: texts.refused.everyIdentitySoFar }}>
        {(row) => {
          const inbox = inboxes.find(({ id }) => id === row.inboxId);
          const facts = [
            row.subject && texts.refused.subject(row.subject),
            row.kid && texts.refused.key(row.kid),
            row.origin && texts.refused.on(row.origin),
            inbox && texts.refused.inbox(inbox.name),
          ].filter(Boolean);
          return (
            <>
              <RowText name={row.reason} note={facts.join(" · ")} />
              <span className={css.quiet}>
                <RelativeTime at={row.at} />
              </span>
            </>
          );
        }}
      </Rows>
    </Section>
  );
}
