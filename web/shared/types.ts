// The envelopes of answers, which the OpenAPI documents repeat for each list.

/** A page of a list. `next_cursor` is "" on the last one. */
export interface Page<T> {
  data: T[];
  has_more: boolean;
  next_cursor: string;
}
export interface List<T> {
  data: T[];
}
