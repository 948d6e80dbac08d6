// Texts of the reports. English is the first catalogue; another language is an
// object of the same type.

export const texts = {
  chart: {
    byDay: (label: string) => `${label}, by day`,
    keysHint: "Use the arrow keys to hear the numbers of a day",
  },

  charts: {
    within90: "90 % within",
    openedAndResolved: "Opened and resolved",
    timeToFirstResponse: "Time to first response",
    timeToResolution: "Time to resolution",
    opened: "Opened",
    resolved: "Resolved",
    median: "Median",
  },

  controls: {
    limited: "These are the figures of your inboxes. Conversations that you see through a team or an assignment alone are not counted.",
    which: { product: "Which product", inbox: "Which inbox", member: "Which member" },
    choose: { product: "Choose a product", inbox: "Choose an inbox", member: "Choose a member" },
    rowsBy: "Rows by",
    days: "Days",
    from: "From",
    to: "To",
    show: "Show",
    conversations: "Conversations",
    company: "Company",
    searchCompanies: "Search companies",
    lastDays: (days: string) => `${days} days`,
    lastWeek: "Last week",
    custom: "Custom",
    everything: "Everything",
    oneProduct: "One product",
    oneInbox: "One inbox",
    oneMember: "One member",
    oneCompany: "One company",
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

  query: {
    day: "Day",
    product: "Product",
    inbox: "Inbox",
    member: "Member",
    company: "Company",
    giveBothDays: "Enter both days.",
    wrongOrder: "The first day must not be after the last one.",
    tooLong: (maxDays: number) => `A report spans at most ${maxDays} days.`,
  },

  rows: {
    deleted: "Deleted",
    noProduct: "No product",
    noInbox: "No inbox",
    noMember: "By the API or nobody",
    noCompany: "No company",
  },

  summary: {
    opened: "Opened",
    openedHint: "conversations that began",
    resolved: "Resolved",
    firstResponse: "First response",
    resolution: "Resolution",
    resolvedHint: "conversations that were resolved",
    forEvery100Opened: (share: number) => `${share} for every 100 opened`,
    nothingMeasured: "nothing measured yet",
    median90Within: (span: string) => `median · 90 % within ${span}`,
  },
};
