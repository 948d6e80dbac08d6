import { Button } from "../kit";
import { inboxName } from "../inbox/channel";
import { useInboxes, useLabels, useMembers, useProducts, useTeams } from "../sync";
import { completed, offered, operators } from "./operators";
import styles from "./Search.module.css";
import { texts } from "./texts";

interface Props {
  text: string;
  onChange: (text: string) => void;
}

/** What may follow in a search: operators, or values of the one that is being typed. */
export function Hints({ text, onChange }: Props) {
  const members = useMembers().map((member) => member.name);
  const labels = useLabels().map((label) => label.name);
  const places = [...useInboxes().map(inboxName), ...useProducts().map((product) => product.name)];
  const teams = useTeams().map((team) => team.name);
  const { operator, values } = offered(text, { from: members, assignee: members, team: teams, label: labels, in: places });
  if (values.length === 0) return null;
  return (
    <div className={styles.hints} role="group" aria-label={operator ? texts.operators.values(operator) : texts.operators.narrow}>
      {values.map((value) => (
        <Button key={value} size="sm" onClick={() => onChange(completed(text, value))}>
          {value}
        </Button>
      ))}
    </div>
  );
}

/** What each operator says. */
export function OperatorList() {
  return (
    <dl className={styles.operators}>
      {operators.map((name) => (
        <div key={name}>
          <dt>{name}:</dt>
          <dd>{texts.operators.of[name]}</dd>
        </div>
      ))}
    </dl>
  );
}
