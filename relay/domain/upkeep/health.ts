/**
 * The topics that an operator should know about, of a relay that serves nevertheless:
 * - `draining`: it is being replaced. Nothing new is accepted; what was begun is served to its end.
 * - `full`: the disk is full. Nothing new is accepted; what is there can be fetched, reported and deleted.
 * - `reserve`: only the space is left that must stay free. Nothing new is accepted; what was announced still is.
 * - `writing`: no change succeeds.
 * - `clock`: the machine's clock jumped.
 * - `deletion`: far too much would be deleted, so nothing is.
 * - `leftovers`: sounds that no record knows are in the quarantine.
 * - `flushing`: the data folder can't be flushed, so a power cut may undo what was confirmed.
 * - `changes`: what other relays change is found later than it should be.
 * - `keys`: nobody can register, because there is no registration key.
 */
export const HEALTH_TOPICS = [
  "draining",
  "full",
  "reserve",
  "writing",
  "clock",
  "deletion",
  "leftovers",
  "flushing",
  "changes",
  "keys",
] as const;
export type HealthTopic = (typeof HEALTH_TOPICS)[number];

/** The present notices: one sentence per topic, with advice. `/readyz` shows them, and each is logged when it appears. */
export class Health {
  readonly #notices = new Map<HealthTopic, string>();
  readonly #log: (topic: HealthTopic, sentence: string | undefined) => void;

  /** @param log called when a topic gets another sentence, and with undefined when it is over */
  constructor(log: (topic: HealthTopic, sentence: string | undefined) => void) {
    this.#log = log;
  }

  get notices(): ReadonlyMap<HealthTopic, string> {
    return this.#notices;
  }

  /** True while the database has no room, or only its ballast's (rule Z7). */
  get isFull(): boolean {
    return this.#notices.has("full");
  }

  /** Sets or ends the notice of a topic. @param sentence undefined when all is well again */
  note(topic: HealthTopic, sentence: string | undefined): void {
    if (this.#notices.get(topic) === sentence) return;
    if (sentence === undefined) this.#notices.delete(topic);
    else this.#notices.set(topic, sentence);
    this.#log(topic, sentence);
  }
}
