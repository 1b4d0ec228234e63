/** The result of one of doctor's checks. */
export interface Finding {
  /** A stable id, such as `relay-port`. */
  readonly check: string;
  /** A `note` is worth knowing, but nothing is broken. */
  readonly state: "ok" | "note" | "wrong";
  readonly sentence: string;
  /** A sentence that says what to do; set for everything `wrong`. */
  readonly advice?: string;
}
