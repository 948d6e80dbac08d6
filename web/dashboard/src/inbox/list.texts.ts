// The texts of the layout of the list.

export const texts = {
  widths: { listWidth: "Width of the list", contactWidth: "Width of the contact" },
  compact: "Compact rows",
  roomy: "Roomy rows",
};
