// Texts of the teams of conversations.

export const texts = {
  team: "Team",
  teams: "Teams",
  noTeam: "No team",
  noneSaid: "none",
  withoutATeam: "Without a team",
  notFound: "Team not found",
};
