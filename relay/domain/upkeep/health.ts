import type { SharedEvent } from "../ports.ts";

/**
 * The topics that an operator should know about, of a relay that serves nevertheless:
 * - `draining`: it is being replaced. Nothing new is accepted; what was begun is served to its end.
 * - `full`: the disk is full. Nothing new is accepted; what is there can be fetched, reported and deleted.
 * - `reserve`: only the space is left that must stay free. Nothing new is accepted; what was announced still is.
 * - `writing`: no change succeeds.
 * - `clock`: the machine's clock jumped.
 * - `deletion`: far too much would be deleted, so nothing is.
 * - `damage`: many stored sounds are not what their apps sent, so none is compared any more (rule Z16).
 * - `leftovers`: sounds that no record knows are in the quarantine.
 * - `flushing`: the data folder can't be flushed, so a power cut may undo what was confirmed.
 * - `changes`: what other relays change is found later than it should be.
 * - `newcomers`: of some events only the part for newcomers is left (rule L13).
 * - `keys`: nobody can register, because there is no registration key.
 */
export const HEALTH_TOPICS = [
  "draining",
  "full",
  "reserve",
  "writing",
  "clock",
  "deletion",
  "damage",
  "leftovers",
  "flushing",
  "changes",
  "newcomers",
  "keys",
] as const;
export type HealthTopic = (typeof HEALTH_TOPICS)[number];

/** Time after its last sign for which the topic `newcomers` stays. */
const SCARCE_MS = 600_000;
const SCARCE_NAMES: Readonly<Record<SharedEvent, string>> = {
  registrations: "registrations",
  announcements: "packages",
  codes: "pairing codes",
  "pairing-tries": "wrong pairing codes",
  "pairing-tries-attacked": "wrong pairing codes",
};

/** The present notices: one sentence per topic, with advice. `/readyz` shows them, and each is logged when it appears. */
export class Health {
  readonly #notices = new Map<HealthTopic, string>();
  readonly #scarceAt = new Map<SharedEvent, number>();
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

  /** Notes an event of which only the part for newcomers was left (rule L13). */
  noteScarce(event: SharedEvent, now: number): void {
    this.#scarceAt.set(event, now);
    this.tellScarce(now);
  }

  /** Sets the notice of the events that were scarce within ten minutes, or ends it. */
  tellScarce(now: number): void {
    for (const [event, at] of this.#scarceAt) {
      if (Math.abs(now - at) >= SCARCE_MS) this.#scarceAt.delete(event);
    }
    const names = [...new Set([...this.#scarceAt.keys()].map((event) => SCARCE_NAMES[event]))];
    this.note("newcomers", names.length === 0 ? undefined : scarceSentence(names.toSorted()));
  }
}

function scarceSentence(names: readonly string[]): string {
  return (
    `A few networks have used up what all may have of: ${names.join(", ")}. Only networks that had little get more. ` +
    "Block those networks, or raise the limit."
  );
}
