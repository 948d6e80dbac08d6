import type { texts as en } from "./teams.texts";

export const texts = {
  team: "Team",
  teams: "Teams",
  noTeam: "Kein Team",
  noneSaid: "keines",
  withoutATeam: "Ohne Team",
  notFound: "Team nicht gefunden",
} satisfies typeof en;
