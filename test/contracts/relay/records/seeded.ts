import type { RecordStore } from "../../../../relay/domain/ports.ts";
import type { MakeStore } from "../contract.ts";
import type { OpenedRecords } from "./records-case.ts";

/** Pseudo-random choices that a seed determines. */
export interface Seeded {
  readonly seed: number;
  /** Draws an integer from 0 to below `end`. */
  readonly below: (end: number) => number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

/** The seeds of the hunts that run: 1 to this number, or exactly these. */
export interface HuntOptions {
  readonly seeds: number | readonly number[];
}

/** Makes choices with the generator `mulberry32`. */
export function seeded(seed: number): Seeded {
  let state = Math.imul(seed, 0x9e37_79b1);
  const below = (end: number): number => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  };
  return {
    seed,
    below,
    pick: ([first, ...others]) => others[below(others.length + 1) - 1] ?? first,
  };
}

/** The actions of one seed on two instances. Its ids start with `prefix`, so that seeds don't disturb each other. */
export type Hunt = (
  instances: readonly [OpenedRecords, OpenedRecords],
  random: Seeded,
  prefix: string,
) => Promise<void>;

/** Runs a hunt with each seed, one after the other on one store. A failure names its seed. */
export async function huntWith(
  make: MakeStore<RecordStore>,
  { seeds }: HuntOptions,
  hunt: Hunt,
): Promise<void> {
  await using store = await make();
  const instances = [await store.open(), await store.open()] as const;
  const all = typeof seeds === "number" ? Array.from({ length: seeds }, (_, at) => at + 1) : seeds;
  for (const seed of all) {
    try {
      await hunt(instances, seeded(seed), `s${seed}-`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`Seed ${seed}: ${reason}`, { cause: error });
    }
  }
}

/** Lists the numbers from 0 to below `count`. */
export function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
