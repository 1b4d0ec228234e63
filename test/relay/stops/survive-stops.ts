import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { quarantines } from "../../../relay/domain/ports.ts";
import { JOURNEY, type Remembered, type Sight, type Step } from "./journey.ts";
import { Machine, start } from "./machine.ts";
import { see } from "./see.ts";
import { StoppingCalls } from "./stopping-calls.ts";

/** How a process ends. */
export type Stop = "killed" | "power cut";

/** `EVERY_CALL=1` stops at every point, also where a stop leaves what one at the point before leaves. */
const TRIES_ALL = process.env["EVERY_CALL"] === "1";

/** Makes the journey without a stop, and returns the points to stop at: each that leaves something of its own. */
export async function findStops(how: Stop): Promise<readonly number[]> {
  const [whole] = await surviveStops([], how);
  if (whole === undefined) throw new Error("The journey has a process.");
  return TRIES_ALL ? Array.from({ length: whole.points }, (_, at) => at) : whole.distinct;
}

/**
 * Makes the journey. The first process stops at the first of these points, the one after it at the second, and so on;
 * the last one finishes the journey. After every stop, what was answered must be there and nothing half.
 * @returns the calls of each process
 * @throws {Error} which names the calls that the processes stopped at
 */
export async function surviveStops(
  stopAts: readonly number[],
  how: Stop = "killed",
): Promise<readonly StoppingCalls[]> {
  await using machine = await Machine.create();
  const traveller = new Traveller(machine);
  const processes: StoppingCalls[] = [];
  const stops: string[] = [];
  try {
    for (const stopAt of [...stopAts, Infinity]) {
      const calls = new StoppingCalls(stopAt, () => traveller.state);
      processes.push(calls);
      const stop = await Promise.race([traveller.travel(calls), calls.stopped]);
      if (stop !== undefined) stops.push(`${stop} (${traveller.at})`);
      if (how === "power cut") await machine.powerCut();
      await traveller.checkPromises();
    }
    assert.deepEqual(await machine.storedPaths(), ["instance"]);
    assert.equal(machine.count("packages"), 0, "packages at the end");
    assert.equal(machine.count("pairings"), 0, "pairings at the end");
  } catch (error) {
    throw new Error(`${how} ${stops.join(", then ") || "nowhere"}, ${traveller.at}:`, {
      cause: error,
    });
  }
  return processes;
}

/** Makes the steps one after the other and remembers how far it came and what was answered. */
class Traveller {
  readonly #machine: Machine;
  readonly #remembered: Remembered = { packageIds: new Map() };
  #expected: Sight = {};
  #done = 0;
  #isStarting = true;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** Where it is. */
  get at(): string {
    return `${this.#isStarting ? "at the start before" : "in"} "${this.#step?.name ?? "the end"}"`;
  }

  /** Another text after each change of the machine, and after each answer. */
  get state(): string {
    return [this.#machine.state, this.#done, this.#isStarting].join();
  }

  /** Starts a process and goes on from the first step that was not answered. */
  async travel(calls: StoppingCalls): Promise<undefined> {
    this.#isStarting = true;
    const process = await this.#machine.process(calls);
    await start(process);
    this.#isStarting = false;
    await this.#checkLeftovers();
    for (let step = this.#step; step !== undefined; step = this.#step) {
      this.#machine.clock.time += (step.hours ?? 0) * 3_600_000;
      await step.act(process, this.#remembered);
      this.#done += 1;
      this.#expected = { ...this.#expected, ...step.changes };
    }
  }

  /** Everything is as it was answered. The step that was not may be done, or not; no half of it. */
  async checkPromises(): Promise<void> {
    const seen = await see(await this.#machine.process(), this.#remembered);
    const changed = { ...this.#expected, ...this.#step?.changes };
    const after = Object.fromEntries(Object.entries(changed).filter(([name]) => name in seen));
    // What wasn't answered can't be seen where nobody knows its name.
    assert.deepEqual(seen, isDeepStrictEqual(seen, after) ? after : this.#expected);
  }

  /**
   * A start that has the stores to itself leaves only what records have. The quarantine has only what none has: uploads
   * that were finished, but not recorded.
   */
  async #checkLeftovers(): Promise<void> {
    const looking = await this.#machine.process();
    const known = ["instance"];
    for (const { uploaded } of (await looking.upkeep?.listWithFiles({ limit: 100 })) ?? []) {
      known.push(...uploaded.values());
    }
    assert.deepEqual(await this.#machine.storedPaths(), known.sort(), "what is stored");
    assert.deepEqual(await looking.soundKeys.listDoomed({ limit: 100 }), [], "what is doomed");
    const { sounds, upkeep } = looking;
    if (upkeep === undefined || !quarantines(sounds)) throw new Error("The stores can do both.");
    for await (const { key } of sounds.listQuarantined()) {
      assert.deepEqual(await upkeep.findUnknown([key]), [key], "what is in the quarantine");
    }
  }

  get #step(): Step | undefined {
    return JOURNEY[this.#done];
  }
}
