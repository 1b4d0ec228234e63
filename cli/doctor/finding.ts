/** What doctor found out about one thing. */
export interface Finding {
  /** What was looked at, stable, such as `relay-port`. */
  readonly check: string;
  /** `note`: worth knowing, nothing is broken. */
  readonly state: "ok" | "note" | "wrong";
  /** A sentence that says what is so. */
  readonly sentence: string;
  /** A sentence that says what to do; with everything that is wrong. */
  readonly advice?: string;
}
