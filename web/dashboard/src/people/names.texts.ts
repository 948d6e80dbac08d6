// What contacts are called that have no name. English is the first catalogue; another one is an object of the
// same type. The first page needs these, and not all texts of this folder.

export const texts = {
  unnamedContact: "Unnamed contact",
  active: (date: string) => `active ${date}`,
};
