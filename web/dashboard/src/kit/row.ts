import styles from "./row.module.css";

/** The class of a link that is a row of a list; the list's own sheet lays it out. */
export const rowClass = styles.row ?? "";
