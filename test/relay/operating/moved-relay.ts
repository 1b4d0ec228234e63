import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { migrate } from "../../../relay/operating/moving/migrate.ts";
import type { MoveSource, MoveStores } from "../../../relay/operating/moving/move-stores.ts";
import { dump } from "../storage/records/copied-database.ts";
import { soundsIn } from "./backed-up-relay.ts";
import { sumOf } from "./moving-relay.ts";

/** Everything in a data folder that moves: each row of each table, and the SHA-256 of each sound. */
export async function contentOf(folder: string) {
  using raw = new DatabaseSync(join(folder, "relay.sqlite"), { readOnly: true });
  const sums = (await soundsIn(folder)).map(async (path) => {
    return [path, sumOf(await readFile(join(folder, "sounds", path)))] as const;
  });
  return { rows: dump(raw), sounds: Object.fromEntries(await Promise.all(sums)) };
}

/** The steps of a move. One of them fails. */
export class Steps {
  readonly stopped = new Error("Stopped by the test.");
  readonly #last: number;
  done = 0;
  /** The step that failed. */
  failed = "";

  /** @param last number of steps that succeed */
  constructor(last: number) {
    this.#last = last;
  }

  /** Moves until a step fails. Returns whether it came to its end. */
  async move(source: MoveSource, target: MoveStores): Promise<boolean> {
    try {
      await migrate({ source: this.of(source), target: this.of(target) });
      return true;
    } catch (error) {
      expect(error).toBe(this.stopped);
      return false;
    }
  }

  /** The same stores, which fail after the last step, before or after the call has reached them. */
  of<Stores extends MoveStores>(stores: Stores): Stores {
    const counted = <Part extends object>(part: Part, names: readonly string[]): Part =>
      new Proxy(part, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== "function") return value;
          if (!names.includes(String(name))) return value.bind(target);
          return (...given: unknown[]) =>
            this.#take(() => Promise.resolve(Reflect.apply(value, target, given)), String(name));
        },
      });
    const records = { ...stores.records, engine: counted(stores.records.engine, ["change"]) };
    const { packages, soundKeys, upkeep } = stores.records;
    const sounds = counted(stores.sounds, ["create", "delete", "keepInstance"]);
    const whole = { ...stores, records: { ...records, packages, soundKeys, upkeep }, sounds };
    return counted(whole, ["writeMark"]);
  }

  async #take<Result>(act: () => Promise<Result>, name: string): Promise<Result> {
    this.done += 1;
    if (this.done <= this.#last) return act();
    this.failed = name;
    // A writer that nobody gets would keep its file open.
    if (name !== "create" && this.done % 2 === 0) await act();
    throw this.stopped;
  }
}
