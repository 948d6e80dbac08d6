// The roles of a provider's groups as lines of a text: "support = agent".

export interface GroupRole {
  name: string;
  role: "admin" | "agent";
}

export const groupLines = (groups: readonly GroupRole[]) => groups.map(({ name, role }) => `${name} = ${role}`).join("\n");

/** The groups of such a text; null if a line is none. The last "=" of a line counts: names may have some. */
export function groupsIn(text: string): GroupRole[] | null {
  const groups: GroupRole[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const at = line.lastIndexOf("=");
    const name = line.slice(0, Math.max(at, 0)).trim();
    const role = line
      .slice(at + 1)
      .trim()
      .toLowerCase();
    if (name === "" || (role !== "admin" && role !== "agent")) return null;
    groups.push({ name, role });
  }
  return groups;
}
