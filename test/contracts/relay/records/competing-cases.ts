import assert from "node:assert/strict";
import type { Eventually } from "../contract.ts";
import { claim, putCode } from "./code-cases.ts";
import { answer } from "./idempotency-cases.ts";
import { leased } from "./package-cases.ts";
import { type OpenedRecords, two } from "./records-case.ts";
import {
  addFile,
  HOUR,
  insert,
  INSERTED,
  packageOf,
  pair,
  put,
  register,
  T0,
  uploaded,
} from "./sample-records.ts";
import { keysOfSounds } from "./sound-key-cases.ts";

const ROUNDS = Array.from({ length: 10 }, (_, index) => index);
const TRIES = Array.from({ length: 20 }, (_, index) => index);

/** The promises of two instances on one store that compete (rule J5). */
export const COMPETING_CASES = [
  two(
    "[J5][P4] a code that one instance issued pairs once, in whichever instance",
    async (first, second, eventually) => {
      await register(first, "device-1");
      await putCode(first.pairings, "device-1", "code");
      await eventually("another instance can claim a code.", async () =>
        Boolean(await claim(second.pairings, "code", "token")),
      );
      const again = await claim(first.pairings, "code", "another");
      assert.equal(again, undefined, "A code that another instance used paired again.");
    },
  ),

  two(
    "[J5][P4] of claims of one code in two instances exactly one pairs",
    async (first, second) => {
      await register(first, "device-1");
      await putCode(first.pairings, "device-1", "code");
      const claims = await Promise.all(
        TRIES.map((index) => claim(pick(index, first, second).pairings, "code", `token ${index}`)),
      );
      assert.equal(claims.filter(Boolean).length, 1, "Not exactly one of 20 claims paired.");
    },
  ),

  two(
    "[J5][P3] of devices that take one code in two instances exactly one gets it",
    async (first, second) => {
      for (const index of TRIES) await register(first, `device-${index}`);
      const taken = await Promise.all(
        TRIES.map((index) =>
          putCode(pick(index, first, second).pairings, `device-${index}`, "same"),
        ),
      );
      assert.equal(taken.filter(Boolean).length, 1, "Not exactly one device got the code.");
    },
  ),

  two(
    "[J5][A3] of removals of the last two tokens in two instances exactly one is the last",
    async (first, second) => {
      await register(first, "device-1");
      for (const round of ROUNDS) {
        const hashes = [`one ${round}`, `two ${round}`] as const;
        for (const tokenHash of hashes) await pair(first, "device-1", { tokenHash });
        await put(first, uploaded(packageOf(`pkg_${round}`)));
        const outcomes = await Promise.all([
          first.pairings.unpair({ tokenHash: hashes[0] }, T0),
          second.pairings.unpair({ tokenHash: hashes[1] }, T0),
        ]);
        assert.equal(outcomes.filter((outcome) => outcome?.ended !== undefined).length, 1);
        const doomed = outcomes.flatMap((outcome) => keysOfSounds(outcome?.doomed));
        assert.deepEqual(doomed, [`pkg_${round}/snd_1`], "The last removal did not doom the keys.");
      }
    },
  ),

  two(
    "[J5][S2] of updates of one version in two instances exactly one is applied",
    async (first, second, eventually) => {
      await register(first, "device-1");
      const record = packageOf("pkg_1");
      await insert(first, record);
      const outcomes = await Promise.all(
        TRIES.map((index) =>
          pick(index, first, second).packages.update(leased(record, `${index}`)),
        ),
      );
      const winners = TRIES.filter((index) => outcomes[index] === "updated");
      assert.equal(winners.length, 1, `Of updates of one version, ${winners.length} were applied.`);
      for (const { packages } of [first, second]) {
        await eventually("both instances see the update that was applied.", async () => {
          const found = await packages.find("pkg_1");
          return found?.version === 2 && found.life.lease?.runId === `${winners[0]}`;
        });
      }
    },
  ),

  two(
    "[J5][S2] of a take and a removal in two instances exactly one wins",
    async (first, second) => {
      await register(first, "device-1");
      for (const round of ROUNDS) {
        const record = packageOf(`pkg_${round}`);
        await insert(first, record);
        const [taker, remover] = [pick(round, first, second), pick(round + 1, first, second)];
        const [taken, removed] = await Promise.all([
          taker.packages.update(leased(record, "run")),
          remover.packages.remove(record.packageId, record.version),
        ]);
        assert.equal(taken, removed === undefined ? "updated" : "changed");
        const found = await taker.packages.find(record.packageId);
        if (removed === undefined) assert.equal(found?.life.lease?.runId, "run");
      }
    },
  ),

  two(
    "[J5][J7] a stale read in one instance never overwrites the other's update",
    async (first, second, eventually) => {
      await register(first, "device-1");
      const record = packageOf("pkg_1");
      await insert(first, record);
      await eventually("another instance reads an announced package.", async () =>
        Boolean(await second.packages.find("pkg_1")),
      );
      assert.equal(await first.packages.update(leased(record, "earlier")), "updated");
      const lost = await second.packages.update(leased(record, "late"));
      assert.equal(lost, "changed", "An update of an older version was applied: one is lost.");
      for (const round of ROUNDS) {
        await Promise.all([
          addRun(first, eventually, `a${round}`),
          addRun(second, eventually, `b${round}`),
        ]);
      }
      const expected = ["earlier", ...ROUNDS.flatMap((round) => [`a${round}`, `b${round}`])];
      for (const { packages } of [first, second]) {
        await eventually("both instances read every update: none is lost.", async () => {
          const found = await packages.find("pkg_1");
          const runs = found?.life.lease?.runId.split(" ") ?? [];
          return runs.toSorted().join() === expected.toSorted().join();
        });
      }
    },
  ),

  two(
    "[J5][M9] of announcements with one key in two instances exactly one is inserted",
    async (first, second) => {
      await register(first, "device-1");
      const outcomes = await Promise.all(
        TRIES.map((index) => {
          const idempotency = answer(`${index}`);
          return insert(pick(index, first, second), packageOf(`pkg_${index}`), { idempotency });
        }),
      );
      const winner = outcomes.findIndex(({ kind }) => kind === "inserted");
      const replay = { kind: "replay", earlier: answer(`${winner}`) };
      const expected = outcomes.map((_, index) => (index === winner ? INSERTED : replay));
      assert.deepEqual(outcomes, expected);
    },
  ),

  two(
    "[J5][P8] no package outlives its device, in whichever instance it is announced",
    async (first, second, eventually) => {
      for (const round of ROUNDS) {
        const deviceId = `device-${round}`;
        const packageId = `pkg_${round}`;
        await register(first, deviceId);
        const [outcome] = await Promise.all([
          insert(second, packageOf(packageId, { deviceId })),
          first.pairings.removeDevice(deviceId),
        ]);
        assert.ok(["inserted", "device-gone"].includes(outcome.kind), outcome.kind);
        await eventually(
          "the package of a removed device is gone.",
          async () => (await second.packages.find(packageId)) === undefined,
        );
      }
    },
  ),

  two("[J2][J5] of uses of one key in two instances exactly one gets it", async (first, second) => {
    const uses = TRIES.map((index) =>
      pick(index, first, second).soundKeys.addPending("pkg_1/key", T0 + HOUR),
    );
    const outcomes = await Promise.allSettled(uses);
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  }),

  two(
    "[J2][J5] a key that is doomed while it becomes part of a package is one of them, never both",
    async (first, second, eventually) => {
      await register(first, "device-1");
      for (const round of ROUNDS) {
        const record = packageOf(`pkg_${round}`);
        const key = `pkg_${round}/key`;
        await insert(first, record);
        await first.soundKeys.addPending(key, T0);
        const [outcome] = await Promise.all([
          addFile(pick(round, first, second), record, key),
          pick(round + 1, first, second).soundKeys.doom({ endedBy: T0 }),
        ]);
        assert.notEqual(outcome.kind, "changed");
        await eventually(
          "a doomed key is no package's, and a package's key is not doomed.",
          async () => {
            const doomed = await second.soundKeys.list({ state: "doomed", limit: 100 });
            const found = await second.packages.find(record.packageId);
            const isPart = found?.uploaded.get("sound 1.wav") === key;
            return isPart === (outcome.kind === "added") && doomed.includes(key) !== isPart;
          },
        );
      }
    },
  ),

  two(
    "[J2] opening or closing an instance deletes no pending key of another",
    async (first, second) => {
      await register(first, "device-1");
      const record = packageOf("pkg_1");
      await insert(first, record);
      await first.soundKeys.addPending("pkg_1/snd_1", T0);
      await second.soundKeys.list({ state: "doomed", limit: 1 });
      await second[Symbol.asyncDispose]();
      const { kind } = await addFile(first, record, "pkg_1/snd_1");
      assert.equal(kind, "added", "A pending key was deleted.");
    },
  ),
];

/** Reads the package and writes it with one more run, until nobody else changed it in between. */
async function addRun(
  { packages }: OpenedRecords,
  eventually: Eventually,
  run: string,
): Promise<void> {
  await eventually("a change is applied once it is made to what is stored.", async () => {
    const found = await packages.find("pkg_1");
    if (found === undefined) return false;
    const runs = `${found.life.lease?.runId ?? ""} ${run}`;
    return (await packages.update(leased(found, runs))) === "updated";
  });
}

/** Returns one of two instances in turn. */
function pick(index: number, first: OpenedRecords, second: OpenedRecords): OpenedRecords {
  return index % 2 === 0 ? first : second;
}
