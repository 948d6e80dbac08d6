// Texts for the dashboard's unknown addresses. English is the first catalogue;
// another language is an object of the same type.

export const texts = {
  app: {
    notLoaded: "The dashboard could not be loaded",
    loading: "Loading …",
  },

  boundary: {
    somethingWentWrong: "Something went wrong on this page",
    reloadThePage: "Reload the page",
  },

  notFound: {
    notFound: "Not found",
    pageNotFound: "Page not found",
    toTheInbox: "To the inbox",
    whyNotFound: "The address may contain a typo, or the page has moved.",
  },
};
