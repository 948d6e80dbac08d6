// What members read about a customer's visit to a website.
export const texts = {
  title: "On the website",
  unproven: "Said by the website, not proven",
  page: "Page",
  from: "Came from",
  language: "Language",
  time: "Local time",
  there: (time: string, zone: string) => `${time} (${zone})`,
  device: "Browser",
  seen: "Last seen",
};
