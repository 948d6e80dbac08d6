// Names for contacts without a name. English is the first catalogue; another
// language is an object of the same type. A file of its own, because the first
// page needs only these texts of the folder.

export const texts = {
  unnamedContact: "Unnamed contact",
  active: (date: string) => `active ${date}`,
};
