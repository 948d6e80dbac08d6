// What people read in the reports. English is the first catalogue; another one is
// an object of the same type.

export const texts = {
  chart: {
    byDay: (label: string) => `${label}, by day`,
    keysHint: "Move by the arrow keys to hear the numbers of a day",
  },

  charts: {
    openedAndResolved: "Opened and resolved",
    timeToFirstResponse: "Time to first response",
    timeToResolution: "Time to resolution",
  },

  controls: {
    rowsBy: "Rows by",
    days: "Days",
    from: "From",
    to: "To",
    show: "Show",
    conversations: "Conversations",
    which: (kind: string) => `Which ${kind}`,
    company: "Company",
    searchCompanies: "Search companies",
  },

  index: {
    period: (from: string, to: string) => `${from} to ${to}. Days are in UTC.`,
    reports: "Reports",
    csv: "CSV",
    noActivityInThisPeriod: "No activity in this period",
    chooseALongerRange: "Choose a longer range or remove the filter.",
  },

  items: {
    moreBelow: (count: number) => `${count} more in the table below.`,
  },

  table: {
    allNumbers: "All numbers",
    allNumbersOfTheReport: "All numbers of the report",
    opened: "Opened",
    resolved: "Resolved",
    firstResponse: "First response",
    resolution: "Resolution",
    median: "Median",
    within90: "90 % within",
    total: "Total",
  },
};
