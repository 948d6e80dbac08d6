// What members read about a customer's visit to a website.
export const texts = {
  typed: "Typed by the visitor",
  unconfirmed: "Not confirmed: anybody can type any address",
  name: "Name",
  email: "E-mail",
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
