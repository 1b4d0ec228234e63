import { arch, platform } from "node:os";
import { performance } from "node:perf_hooks";
import type { LiveFacts, LiveFinding, LiveReport } from "../../core/protocol/live-report.ts";
import { VERSION } from "../../core/version.ts";
import type { CheckTalk } from "../hosts/live-setup.ts";
import type { SurfaceClient } from "../hosts/live/remote-script/control-surface-client.ts";
import { SurfaceError } from "../hosts/live/remote-script/control-surface-error.ts";
import { type Check, CheckFailedError, type CheckPlace, type CheckSounds } from "./check.ts";
import { readResults, type Step, type StepResult, type Work } from "./steps.ts";
import { CLIP_CHECKS } from "./check-clips.ts";
import { MARKER_CHECKS } from "./check-markers.ts";
import { HABIT_CHECKS } from "./check-habits.ts";
import { LOG_CHECK } from "./check-log.ts";
import { PERSON_CHECKS } from "./check-person.ts";
import { findPlacing } from "./check-placing.ts";
import { REFUSAL_CHECKS, UNDO_CHECK } from "./check-refusals.ts";
import {
  countAdded,
  findOurs,
  listThings,
  makeTracks,
  refuseFullSet,
  removeOurs,
} from "./check-tracks.ts";
import { hidePrivate } from "./hide-private.ts";

interface CheckOptions extends CheckTalk {
  readonly client: SurfaceClient;
  readonly sounds: CheckSounds;
  /** Names of this computer and its user, which no report may contain. */
  readonly names: readonly string[];
  /** Finds errors in Live's log; null where it can't be read. */
  readonly readLog: () => Promise<LiveFacts | null>;
}

/** The checks that need the check's tracks. */
const CHECKS = [...CLIP_CHECKS, ...MARKER_CHECKS, ...REFUSAL_CHECKS, ...HABIT_CHECKS];
const TOTAL = 4 + CHECKS.length + PERSON_CHECKS.length;

/**
 * Checks Live through its control surface, in a Set without clips, and removes everything again.
 * @throws {CheckFailedError} with a sentence, where this Set can't be used or Live refuses the tracks
 * @throws {SurfaceError | UnreachableError} where the control surface fails
 * @throws {unknown} the signal's reason, once everything is removed
 */
export async function runCheck(options: CheckOptions): Promise<LiveReport> {
  const { client, sounds, names, signal, ask } = options;
  const probe = new Probe(client);
  const findings: LiveFinding[] = [];
  const find = async (
    about: Pick<Check, "id" | "question">,
    work: () => Promise<LiveFacts | null>,
  ) => {
    signal.throwIfAborted();
    const { facts, timings } = await probe.timed(work);
    const { id, question } = about;
    findings.push({ id, question, facts: facts && hidePrivate(facts, names), timings });
    options.onProgress(findings.length, TOTAL);
  };
  options.onProgress(0, TOTAL);
  await probe.do(refuseFullSet());
  await probe.do(removeOurs());
  const before = await probe.do(listThings());
  let stays = 0;
  try {
    await find(LOG_CHECK, options.readLog);
    await find(UNDO_CHECK, () => probe.do(UNDO_CHECK.find({ sounds })));
    await probe.do(removeOurs());
    await find(PLACING, () => findPlacing(client, sounds.loop));
    await find(TRACKS, () => probe.do(makeTracks()));
    const at = await placeIn(probe, sounds);
    for (const check of CHECKS) await find(check, () => probe.do(check.find(at)));
    for (const check of PERSON_CHECKS) {
      await find(check, async () => {
        if (check.isOpen?.(findings) === false) return null;
        if (check.prepare && !(await probe.do(check.prepare(at)))) return null;
        const answer = await ask(check.ask);
        signal.throwIfAborted();
        return answer === null ? null : probe.do(check.find(at, answer === true ? null : answer));
      });
    }
  } finally {
    if (client.isOpen) {
      await probe.do(removeOurs());
      stays = countAdded(before, await probe.do(listThings()));
    }
  }
  const { live, edition } = client.welcome;
  const about = { report: "soundferry-live-check", format: 1, soundferry: VERSION } as const;
  const system = `${platform()} ${arch()}`;
  return { ...about, live, edition, system, tick_ms: probe.tickMs(), checks: findings, stays };
}

const TRACKS = { id: "tracks", question: "How does Live make tracks?" };
const PLACING = { id: "placing", question: "Does a small import come out as planned?" };

async function placeIn(probe: Probe, sounds: CheckSounds): Promise<CheckPlace> {
  const [audioTrack, midiTrack] = await probe.do(findOurs());
  if (audioTrack === undefined) throw new CheckFailedError("Live lost the check's track.");
  return { audioTrack, midiTrack: midiTrack ?? audioTrack, sounds };
}

/** The connection to Live that does the work of checks and records the times of Live's calls. */
class Probe {
  readonly #client: SurfaceClient;
  #timings: Record<string, number[]> = {};
  #first: { readonly tick: number; readonly at: number } | undefined;
  #last = { tick: 0, at: 0 };

  constructor(client: SurfaceClient) {
    this.#client = client;
  }

  async do<Outcome>(work: Work<Outcome>): Promise<Outcome> {
    let next = work.next();
    while (next.done !== true) {
      // oxlint-disable-next-line no-await-in-loop -- each step may depend on the one before
      next = work.next(await this.#take(next.value));
    }
    return next.value;
  }

  async timed<Facts>(work: () => Promise<Facts>) {
    this.#timings = {};
    const facts = await work();
    return { facts, timings: this.#timings };
  }

  /** Returns the average time between two of Live's ticks in milliseconds; null without two. */
  tickMs(): number | null {
    const ticks = this.#last.tick - (this.#first?.tick ?? this.#last.tick);
    return ticks > 0 ? Math.round((this.#last.at - (this.#first?.at ?? 0)) / ticks) : null;
  }

  async #take(steps: readonly Step[]): Promise<readonly StepResult[]> {
    if (steps.length === 0) return [];
    const results = readResults(await this.#ask(steps));
    for (const [index, [path, verb]] of steps.entries()) {
      const { ms, tick, error } = results[index] ?? { ms: 0, tick: 0, error: "" };
      this.#last = { tick, at: performance.now() };
      this.#first ??= this.#last;
      if (verb === "get" || error !== null) continue;
      const name = String(path.at(-1));
      (this.#timings[name] ??= []).push(Math.round(ms * 1000) / 1000);
    }
    return results;
  }

  async #ask(steps: readonly Step[]) {
    try {
      return await this.#client.request("probe", { steps });
    } catch (error) {
      if (error instanceof SurfaceError && error.code === "busy") {
        throw new CheckFailedError("An import is running. Check again when it is done.", {
          cause: error,
        });
      }
      throw error;
    }
  }
}
