import { type HttpAnswer, patiently } from "../http-call.ts";
import type { Attacked, OpenOptions } from "./attacked-relay.ts";

/** A figure of an attack, with the bound that its promise sets. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The same figure without the attack, measured in the same run. */
  readonly baseline?: number;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** The outcome of one run of an attack. */
export interface Outcome {
  /** The kind of tries, such as `claims`. */
  readonly what: string;
  readonly offered: number;
  /** With fewer attempts the driver was too weak to show anything, and the run fails. */
  readonly leastOffered: number;
  /** Number of tries that the relay served. */
  readonly accepted: number;
  readonly measures: readonly Measure[];
}

/** The surroundings of an attack. */
export interface Stage {
  readonly isShort: boolean;
  /** Duration of the flood, where that can be chosen. */
  readonly seconds?: number | undefined;
  /** Starts a relay of the attack's own on 127.0.0.1. Dispose it. */
  openRelay(options?: OpenOptions): Promise<Attacked>;
}

/** A bounded program that does to a relay of its own what a stranger could do. */
export interface Attack {
  /** It needs a relay on this computer, with nothing in front of it. */
  readonly isLocal?: boolean;
  /** Such as `A1`. */
  readonly name: string;
  readonly title: string;
  /** The relay's promise under it, as a sentence. */
  readonly promise: string;
  run(stage: Stage): Promise<Outcome>;
}

type Figure = readonly [name: string, value: number, unit: string];

export function atMost(bound: number, [name, value, unit]: Figure, baseline?: number): Measure {
  return { name, value, unit, atMost: bound, ...(baseline !== undefined && { baseline }) };
}

export function atLeast(bound: number, [name, value, unit]: Figure): Measure {
  return { name, value, unit, atLeast: bound };
}

/** An honest call, repeated after the time that `Retry-After` names, must get this status. */
export async function served(
  [name, unit]: readonly [name: string, unit: string],
  status: number,
  act: () => Promise<HttpAnswer>,
  withinMs = 10_000,
): Promise<Measure> {
  const answer = await patiently(act, withinMs);
  return atLeast(1, [name, answer.status === status ? 1 : 0, unit]);
}

/** Checks whether a figure is within its bounds. */
export function isWithin({ value, atMost = Infinity, atLeast = -Infinity }: Measure): boolean {
  return value <= atMost && value >= atLeast;
}

/** Checks whether the driver tried enough, and every figure is within its bounds. */
export function isHeld({ offered, leastOffered, measures }: Outcome): boolean {
  return offered >= leastOffered && measures.length > 0 && measures.every(isWithin);
}
