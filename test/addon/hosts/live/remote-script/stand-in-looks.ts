/** A track of an outcome, as it is on the wire. */
export type OutcomeTrack = Readonly<Record<string, unknown>> & { readonly holds: object };

export interface LookHabits {
  /** Returns a sound's track at each later look; by default, one look finds the same. */
  readonly looks?: readonly ((track: OutcomeTrack) => object)[];
  /** Called before a look is answered. */
  readonly onWatch?: (run: string) => Promise<void>;
}

/** The stand-in's later looks at its runs. */
export class StandInLooks {
  readonly #habits: LookHabits;
  readonly #counts = new Map<string, number>();

  constructor(habits: LookHabits) {
    this.#habits = habits;
  }

  /** Returns the answer to `watch`, without its id. */
  async answer(run: string, outcomeOf: () => object | null): Promise<object> {
    const { looks = [], onWatch } = this.#habits;
    await onWatch?.(run);
    const outcome = outcomeOf();
    if (outcome === null) return { error: { code: "request", message: "There is no such run." } };
    const count = this.#counts.get(run) ?? 0;
    this.#counts.set(run, count + 1);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the outcome of a run
    const { tracks } = outcome as { tracks: readonly OutcomeTrack[] };
    const look = looks[count] ?? ((track) => track);
    return { ok: { ...outcome, tracks: tracks.map(look) }, more: count + 1 < looks.length };
  }
}
