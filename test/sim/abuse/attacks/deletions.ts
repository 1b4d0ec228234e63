import { percentile } from "../../../bench/bench-result.ts";
import { httpCall, inParallel } from "../../http-call.ts";
import { raceUploads } from "../../race-uploads.ts";
import { letPass } from "../../real-time.ts";
import { manifest, Stranger } from "../../stranger.ts";
import { type Attack, atLeast, atMost, type Measure } from "../attack.ts";
import type { Attacked } from "../attacked-relay.ts";

const RACES = { short: 6, whole: 32 };
const REVOKED = { short: 9, whole: 30 };
const IDLE_CALLS = 100;
/** One app may make 600 calls a minute. */
const PAUSE_MS = 120;
/** Time in which a revocation is answered, whatever the sounds' service does. */
const ANSWER_MS = 5000;
const LEFT_MS = 5000;
const SEED = 20_261_129;

/** Uploads that lose their package, their app or their computer at a random moment. */
export const racedDeletions: Attack = {
  name: "A21",
  title: "uploads whose package goes meanwhile",
  promise:
    "An upload that races with a withdrawal, an unpairing or the removal of its computer is refused with 404, 401 or 409, " +
    "never 5xx, no answer has an offset of what is gone, and nothing of it stays.",
  run: async (stage) => {
    await using relay = await stage.openRelay();
    const rounds = stage.isShort ? RACES.short : RACES.whole;
    const honest = await Honest.watch(relay);
    const races = await raceUploads(relay, { rounds, seed: SEED, site: 0x10 });
    const measures = await honest.stop();
    const left = await leftIn(relay, false);
    return {
      what: "uploads",
      offered: races.uploads,
      leastOffered: rounds * 16,
      accepted: races.arrived,
      measures: [
        atMost(0, ["answers of 5xx or another wrong status", races.wrong.length, "answers"]),
        atMost(0, ["answers with the offset 0 of what is gone", races.zeroOffsets, "answers"]),
        atMost(0, ["deletions that weren't answered 200", races.undeleted, "deletions"]),
        atMost(0, ["keys and sounds left behind", left, "keys and sounds"]),
        ...measures,
      ],
    };
  },
};

/** Revocations while the service that keeps the sounds answers nothing. */
export const revokedWhileSilent: Attack = {
  name: "A22",
  title: "revocations while the sounds' service is silent",
  promise:
    "Withdrawing, unpairing and removing a computer are answered 200 within 5 s though the sounds' service never answers, " +
    "and the bytes go once it is back.",
  run: async (stage) => {
    await using relay = await stage.openRelay();
    const count = stage.isShort ? REVOKED.short : REVOKED.whole;
    const strangers = await inParallel(count, 4, async (index) => {
      const stranger = await Stranger.paired(relay, 0x10 + index);
      const id = await stranger.announced(manifest(2));
      for (const nth of [1, 2]) await stranger.upload(id, { nth });
      return { stranger, id };
    });
    const honest = await Honest.watch(relay);
    await relay.interruptSounds(true);
    const answers = await inParallel(count, 4, (index) => {
      const { stranger, id } = strangers[index] as (typeof strangers)[number];
      const ways = [
        { path: `/packages/${id}`, token: stranger.app, method: "DELETE" },
        { path: "/app/unpair", token: stranger.app, method: "POST" },
        { path: "/importer/me", token: stranger.importer, method: "DELETE" },
      ];
      const way = ways[index % ways.length] as (typeof ways)[number];
      return httpCall(relay, { ...way, timeoutMs: ANSWER_MS + 1000 });
    });
    const measures = await honest.stop();
    await relay.interruptSounds(false);
    const left = await leftIn(relay, true);
    const done = answers.filter(({ status }) => status === 200).length;
    return {
      what: "revocations",
      offered: answers.length,
      leastOffered: count,
      accepted: done,
      measures: [
        atLeast(count, ["revocations answered 200", done, "calls"]),
        atMost(ANSWER_MS, ["the slowest answer", Math.max(...answers.map(({ ms }) => ms)), "ms"]),
        atMost(0, ["keys and sounds left once it is back", left, "keys and sounds"]),
        ...measures,
      ],
    };
  },
};

/** Returns what is left once nothing is, or after a while. */
async function leftIn(relay: Attacked, sweeps: boolean): Promise<number> {
  const endsAt = performance.now() + LEFT_MS;
  let left = await relay.left(sweeps);
  while (left > 0 && performance.now() < endsAt) {
    await letPass(100);
    left = await relay.left(sweeps);
  }
  return left;
}

/** Somebody who makes a call again and again, first to an idle relay. */
class Honest {
  readonly #ask: () => Promise<number>;
  readonly #idle: readonly number[];
  readonly #during: number[] = [];
  readonly #over = new AbortController();
  #failed = 0;
  #asking: Promise<void>;

  private constructor(ask: () => Promise<number>, idle: readonly number[]) {
    this.#ask = ask;
    this.#idle = idle;
    this.#asking = this.#askOn();
  }

  static async watch(relay: Attacked): Promise<Honest> {
    const stranger = await Stranger.paired(relay, 0x4000);
    const ask = async (): Promise<number> => {
      const { status, ms } = await stranger.asApp("/app/me");
      return status === 200 ? ms : Infinity;
    };
    const idle: number[] = [];
    for (let count = 0; count < IDLE_CALLS; count += 1) idle.push(await ask());
    return new Honest(ask, idle);
  }

  /** Stops asking. */
  async stop(): Promise<readonly Measure[]> {
    this.#over.abort();
    await this.#asking;
    const idleMs = percentile(this.#idle, 0.99);
    const p99 = percentile(this.#during, 0.99);
    // A machine that is busy with other things has pauses of its own.
    const bound = Math.max(5 * idleMs, 1000);
    return [
      atMost(0, ["honest calls that failed", this.#failed, "calls"]),
      atMost(bound, ["p99 of honest calls", p99, "ms"], idleMs),
    ];
  }

  async #askOn(): Promise<void> {
    while (!this.#over.signal.aborted) {
      const ms = await this.#ask();
      if (ms === Infinity) this.#failed += 1;
      else this.#during.push(ms);
      await letPass(PAUSE_MS);
    }
  }
}
