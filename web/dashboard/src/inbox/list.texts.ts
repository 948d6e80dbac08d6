// The texts of the layout of the list.

export const texts = {
  width: "Width of the list",
  compact: "Compact rows",
  roomy: "Roomy rows",
};
