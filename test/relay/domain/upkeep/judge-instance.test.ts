import { describe, expect, test } from "vitest";
import {
  type FoundDatabase,
  type FoundSounds,
  judgeInstance,
  type MismatchReason,
} from "../../../../relay/domain/upkeep/judge-instance.ts";

const NEW: FoundDatabase = { hasServed: false };
const UNMARKED: FoundDatabase = { hasServed: true };
const STARTED: FoundDatabase = {
  instance: { instanceId: "ins_a", isBound: false },
  hasServed: true,
};
const BOUND: FoundDatabase = { ...STARTED, instance: { instanceId: "ins_a", isBound: true } };
const EMPTY: FoundSounds = { instanceId: undefined, holdsSounds: false };
const SOUNDS: FoundSounds = { ...EMPTY, holdsSounds: true };
const MARKED: FoundSounds = { instanceId: "ins_a", holdsSounds: true };
const MARKED_EMPTY: FoundSounds = { ...MARKED, holdsSounds: false };

describe("[Z1] binds database and sounds", () => {
  test.each<[string, FoundDatabase | undefined, FoundSounds, string | undefined]>([
    ["a first start", undefined, EMPTY, undefined],
    ["a first start that ended before it wrote an id", NEW, EMPTY, undefined],
    [
      "a database that has served, and stores that remember an id only now",
      UNMARKED,
      SOUNDS,
      undefined,
    ],
    ["such a database without sounds", UNMARKED, EMPTY, undefined],
    ["a start that ended before it marked the sounds", STARTED, SOUNDS, "ins_a"],
    ["a first start that ended before that", { ...STARTED, hasServed: false }, EMPTY, "ins_a"],
    ["a start that ended before it bound the database", STARTED, MARKED, "ins_a"],
  ])("at %s", (_, database, sounds, instanceId) => {
    expect(judgeInstance(database, sounds)).toEqual({ kind: "bind", instanceId });
  });
});

test.each([MARKED, MARKED_EMPTY])("[Z1] those with the same id belong together", (sounds) => {
  const bound = { kind: "bound", instanceId: "ins_a" };
  expect(judgeInstance(BOUND, sounds)).toEqual(bound);
  expect(judgeInstance({ ...BOUND, hasServed: false }, sounds)).toEqual(bound);
});

describe("[Z1] refuses", () => {
  test.each<[string, FoundDatabase | undefined, FoundSounds, MismatchReason]>([
    ["sounds without a database", undefined, SOUNDS, "database-missing"],
    ["marked sounds without a database", undefined, MARKED_EMPTY, "database-missing"],
    ["a new database with sounds", NEW, SOUNDS, "database-new"],
    ["a new one that got an id", { ...STARTED, hasServed: false }, SOUNDS, "database-new"],
    ["a new database with marked sounds", NEW, MARKED, "database-unmarked"],
    [
      "a database that has served, with marked sounds of another",
      UNMARKED,
      MARKED_EMPTY,
      "database-unmarked",
    ],
    ["a database whose sounds are gone", BOUND, EMPTY, "sounds-unmarked"],
    ["a database with unmarked sounds", BOUND, SOUNDS, "sounds-unmarked"],
    ["two ids", BOUND, { ...MARKED, instanceId: "ins_b" }, "ids-differ"],
    ["two ids, unbound", STARTED, { ...MARKED, instanceId: "ins_b" }, "ids-differ"],
  ])("%s", (_, database, sounds, reason) => {
    expect(judgeInstance(database, sounds)).toEqual({ kind: "refuse", reason });
  });
});
