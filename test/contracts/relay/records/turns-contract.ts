import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type HeldTurn,
  type PartialTurn,
  type PartialTurns,
  type RecordStore,
  type SoundKeys,
  TurnLostError,
} from "../../../../relay/domain/ports.ts";
import type { ContractCase, MakeStore, WaitOptions } from "../contract.ts";
import { onStore, type RecordsCase, two } from "./records-case.ts";
import { addFile, ADDRESS, HOUR, insert, packageOf, register, T0 } from "./sample-records.ts";

const FILE = { packageId: "pkg_1", file: "sound 1.wav" };
const KEY = "pkg_1/part";

const CASES: readonly RecordsCase[] = [
  two("[SC10] one call at a time has a file's turn", async (own, other, eventually) => {
    const first = await take(turnsOf(own));
    const order: string[] = [];
    const second = take(turnsOf(other)).then((taken) => {
      order.push("taken");
      return taken;
    });
    await eventually("a call that has the turn is ended.", () => first.ends.length > 0);
    assert.deepEqual(first.ends, ["replaced"]);
    await sleep(100);
    assert.deepEqual(order, [], "A turn was taken before it was given back.");
    await first.held[Symbol.asyncDispose]();
    const { held, ends } = await second;
    assert.ok(held.turn.number > first.held.turn.number, "A later turn has a smaller number.");
    await held.confirm();
    assert.deepEqual(ends, []);
    await held[Symbol.asyncDispose]();
  }),

  two("[SC10] the newest call wins, and those between never begin", async (own, other) => {
    const first = await take(turnsOf(own));
    const between = turnsOf(other).take(FILE, unasked());
    await sleep(100);
    const newest = take(turnsOf(other));
    assert.equal(await between, undefined, "A call between got the turn.");
    await first.held[Symbol.asyncDispose]();
    await (await newest).held[Symbol.asyncDispose]();
  }),

  two("[SC10] files wait for each other's turns only", async (own, other) => {
    const one = await take(turnsOf(own));
    const another = await take(turnsOf(other), { ...FILE, file: "sound 2.wav" });
    assert.deepEqual(one.ends, []);
    await one.held[Symbol.asyncDispose]();
    await another.held[Symbol.asyncDispose]();
  }),

  two("[SC10] a call can stop waiting, and another goes on", async (own, other) => {
    const first = await take(turnsOf(own));
    const giving = new AbortController();
    const waiting = turnsOf(other).take(FILE, { onEnd: () => undefined, givenUp: giving.signal });
    giving.abort();
    assert.equal(await waiting, undefined, "It waited on.");
    await first.held[Symbol.asyncDispose]();
    await (await take(turnsOf(own))).held[Symbol.asyncDispose]();
  }),

  two("[SC10] ending a call waits until it is over", async (own, other, eventually) => {
    await turnsOf(other).end(FILE);
    const first = await take(turnsOf(own));
    let hasEnded = false;
    const ending = turnsOf(other)
      .end(FILE)
      .then(() => (hasEnded = true));
    await eventually("a call that has the turn is ended.", () => first.ends.length > 0);
    await sleep(100);
    assert.equal(hasEnded, false, "It didn't wait.");
    await first.held[Symbol.asyncDispose]();
    await ending;
    await (await take(turnsOf(own))).held[Symbol.asyncDispose]();
  }),

  two(
    "[SC10] the turn of a process that is gone lapses, and nothing counts for it any more",
    async (own, other) => {
      await register(own, "device-1");
      await insert(own, packageOf(FILE.packageId, { sizes: [10] }));
      const keys = other.soundKeys;
      await keys.addPending(KEY, T0 + HOUR);
      assert.equal(await keys.beginPartial({ key: KEY, file: FILE.file }), true);
      const gone = await take(turnsOf(own));
      const stale = gone.held.turn;
      await keep(keys, 5, stale);
      await own[Symbol.asyncDispose]();
      const { held } = await take(turnsOf(other));
      await assert.rejects(keep(keys, 7, stale), TurnLostError);
      await assert.rejects(keys.doom({ partial: KEY, turn: stale }), TurnLostError);
      const record = await other.packages.find(FILE.packageId);
      assert.ok(record);
      await assert.rejects(addFile(other, record, KEY, { turn: stale }), TurnLostError);
      const found = (await keys.findPartials(FILE.packageId))?.get(FILE.file);
      assert.deepEqual(found, { key: KEY, storedBytes: 5 });
      assert.equal(await keep(keys, 7, held.turn), true);
      assert.equal((await addFile(other, record, KEY, { turn: held.turn })).kind, "added");
      await held[Symbol.asyncDispose]();
    },
  ),
];

/** Makes the extra cases for a `RecordStore` whose processes can continue each other's files, by `SoundKeys.turns`. */
export function turnsContract(
  make: MakeStore<RecordStore>,
  options?: WaitOptions,
): readonly ContractCase[] {
  return onStore(make, CASES, options);
}

interface Taken {
  readonly held: HeldTurn;
  /** Reasons for which the turn had to end. */
  readonly ends: readonly string[];
}

async function take(turns: PartialTurns, file = FILE): Promise<Taken> {
  const ends: string[] = [];
  const { signal } = new AbortController();
  const held = await turns.take(file, { onEnd: (why) => void ends.push(why), givenUp: signal });
  assert.ok(held, "The newest call got no turn.");
  return { held, ends };
}

function unasked() {
  return { onEnd: () => undefined, givenUp: new AbortController().signal };
}

function keep(keys: SoundKeys, storedBytes: number, turn: PartialTurn): Promise<boolean> {
  const received = { address: ADDRESS, bytes: 0, at: T0 };
  return keys.keepPartial({ key: KEY, storedBytes, received, turn });
}

function turnsOf(records: Pick<RecordStore, "soundKeys">): PartialTurns {
  const { turns } = records.soundKeys;
  assert.ok(turns, "The store has no turns.");
  return turns;
}
