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

/** Makes a finding on a part that works. */
export function ok(check: string, sentence: string): Finding {
  return { check, state: "ok", sentence };
}

/** Makes a finding that is worth knowing, although nothing is broken. */
export function note(check: string, sentence: string, advice?: string): Finding {
  return { check, state: "note", sentence, ...(advice !== undefined && { advice }) };
}

export function wrong(check: string, sentence: string, advice: string): Finding {
  return { check, state: "wrong", sentence, advice };
}

/** Makes a finding on a part that couldn't be checked, so that nothing is left out silently. */
export function notChecked(what: string, because: string): Finding {
  return note("not-checked", `Not checked, because ${because}: ${what}.`);
}

/** Advice where the proxy answers instead of the relay, for a reason that only it knows. */
export const OWN_ANSWER = "See the proxy's log for why it doesn't pass that on.";

export function isWrong({ state }: Finding): boolean {
  return state === "wrong";
}
