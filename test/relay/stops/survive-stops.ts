import assert from "node:assert/strict";
import { App } from "../../sim/app.ts";
import { checkApps } from "../../sim/check-app.ts";
import { SimRelay } from "../../sim/sim-relay.ts";
import { StoppingCalls } from "../../sim/stopping-calls.ts";
import { Lost, type World, worldOf } from "../../sim/world.ts";
import { WHOLE_FORMS } from "../../whole-forms.ts";
import { JOURNEY, type Traveller } from "./journey.ts";

/** The end of a process. */
export type Stop = "killed" | "power cut";

/**
 * Makes the journey without a stop, and returns the points to stop at: each that leaves something of its own;
 * every one with `WHOLE_FORMS=1`.
 */
export async function findStops(how: Stop): Promise<readonly number[]> {
  const [whole] = await surviveStops([], how);
  if (whole === undefined) throw new Error("The journey has a process.");
  return WHOLE_FORMS ? Array.from({ length: whole.points }, (_, at) => at) : whole.distinct;
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
  await using relay = await SimRelay.create();
  const world = worldOf(relay);
  const traveller: Traveller = { app: new App(world, "Studio"), relay, keys: new Map() };
  const processes: StoppingCalls[] = [];
  const stops: string[] = [];
  let done = 0;
  let place = "";
  const travel = async () => {
    place = `the start before ${JOURNEY[done]?.[0]}`;
    await relay.start();
    await relay.check(world.checks, world.ledger.promisedSounds);
    for (const [name, act] of JOURNEY.slice(done)) {
      place = name;
      await act(traveller);
      done += 1;
    }
  };
  try {
    for (const stopAt of [...stopAts, Infinity]) {
      const look = () => [relay.state, world.ledger.facts, done, place].join();
      processes.push(new StoppingCalls(stopAt, look));
      relay.begin(processes.at(-1));
      await travel().catch((error: unknown) => {
        if (!(error instanceof Lost)) throw error;
        stops.push(`${error.message} (${place})`);
      });
      await end(world, how);
    }
    await relay.check(world.checks, 0);
    assert.equal(relay.count("packages"), 0, "packages at the end");
    assert.equal(relay.count("pairings"), 0, "pairings at the end");
  } catch (error) {
    throw new Error(`${how} ${stops.join(", then ") || "nowhere"}, in ${place}:`, { cause: error });
  }
  return processes;
}

/** Ends the process, and compares what a new one shows. A call without an answer took effect or not; no half of it. */
async function end(world: World<SimRelay>, how: Stop): Promise<void> {
  if (how === "power cut") await world.relay.powerCut();
  world.relay.begin();
  await checkApps(world);
}

/**
 * Stops a relay at random calls, one in ten while it starts, while an app sends, replaces, imports, withdraws and
 * unpairs; every other time by a power cut. @returns how many facts were acknowledged
 */
export async function surviveRandomStops(lives: number, random: () => number): Promise<number> {
  await using relay = await SimRelay.create();
  const world = worldOf(relay, { random });
  for (let life = 0; life < lives; life += 1) {
    const app = new App(world, `musician ${life >> 3}`);
    relay.begin(new StoppingCalls(Math.floor(random() * (random() < 0.1 ? 20 : 1000))));
    const work = async () => {
      await relay.start();
      await relay.check(world.checks, world.ledger.promisedSounds);
      await app.begin();
      await app.finishAll();
      await app.work();
    };
    await work().catch((error: unknown) => {
      if (!(error instanceof Lost)) throw error;
    });
    await end(world, life % 2 === 0 ? "killed" : "power cut");
  }
  return world.ledger.facts;
}
