import type { LiveNumber } from "../../../../../addon/hosts/live/sdk/live-api.ts";
import type { LiveCalls } from "./live-calls.ts";
import type { LiveHabits } from "./live-habits.ts";
import type { LiveSet } from "./live-set.ts";

interface Thing {
  readonly id: bigint;
}

/** The common part of a Set's objects: the Set, the way to change it, and how they show it. */
export class LiveWorld {
  readonly set: LiveSet;
  readonly calls: LiveCalls;
  readonly habits: LiveHabits;
  /** The number of properties of Live's objects that were read; a list counts once. */
  reads = 0;
  readonly #objects = new WeakMap<Thing, object>();
  readonly #things = new WeakMap<object, Thing>();

  constructor(set: LiveSet, calls: LiveCalls, habits: LiveHabits) {
    this.set = set;
    this.calls = calls;
    this.habits = habits;
  }

  /** The object for a thing: a new one on each read, where Live does so. */
  objectFor<Kind extends object>(thing: Thing, make: () => Kind): Kind {
    const known = this.habits.givesFreshObjects ? undefined : this.#objects.get(thing);
    const object = known ?? make();
    this.#objects.set(thing, object);
    this.#things.set(object, thing);
    // Each thing has one kind of object.
    return object as Kind;
  }

  countRead(): void {
    this.reads += 1;
  }

  /** Returns the target of an object; undefined for a foreign one. */
  thingOf(object: unknown): Thing | undefined {
    return typeof object === "object" && object !== null ? this.#things.get(object) : undefined;
  }

  /** A new one on each read, too; equal for the same thing by its id. */
  handleOf({ id }: Thing): Thing | undefined {
    return this.habits.hasHandles ? { id } : undefined;
  }

  /** A number as Live returns it. */
  number(value: number): LiveNumber {
    return this.habits.givesBigInts && Number.isInteger(value) ? BigInt(value) : value;
  }

  /** @throws {Error} when a thing is gone, where Live minds */
  assertThere(isThere: boolean): void {
    if (!isThere && this.habits.throwsWhenDead) throw new Error("The object is stale.");
  }
}

/** @throws {RangeError} outside the range, both ends of which count */
export function withDeadline(value: unknown, lowest: number, highest: number): number {
  const number = Number(value);
  if (number >= lowest && number <= highest) return number;
  throw new RangeError(`${number} is out of range.`);
}
