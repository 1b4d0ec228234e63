import assert from "node:assert/strict";
import type { PackageRecord, Quotas } from "../../../../relay/domain/ports.ts";
import { eventually } from "../contract.ts";
import { claim, putCode } from "./code-cases.ts";
import { leased } from "./package-cases.ts";
import type { OpenedRecords } from "./records-case.ts";
import {
  addFile,
  committed,
  DAY,
  HOUR,
  insert,
  packageOf,
  pair,
  put,
  register,
  T0,
  uploaded,
} from "./sample-records.ts";
import { keysOfSounds } from "./sound-key-cases.ts";
import { type Hunt, upTo } from "./seeded.ts";

const CALLS = upTo(100);

/** Makes 100 claims of one code: one pairs, and only its token works. */
export const huntClaims: Hunt = async (instances, random, prefix) => {
  const issuer = random.pick(instances);
  await register(issuer, `${prefix}device`);
  await putCode(issuer.pairings, `${prefix}device`, `${prefix}code`);
  const token = (call: number) => `${prefix}token-${call}`;
  const claims = await Promise.all([
    claim(issuer.pairings, `${prefix}code`, token(0)),
    ...CALLS.slice(1).map((call) =>
      claim(random.pick(instances).pairings, `${prefix}code`, token(call)),
    ),
  ]);
  const winners = CALLS.filter((call) => claims[call] !== undefined);
  assert.equal(winners.length, 1, `Of 100 claims of one code, ${winners.length} paired.`);
  await seenByBoth(
    instances,
    "exactly the token of the claim that paired works.",
    async (records) => {
      const found = await Promise.all(CALLS.map((call) => records.pairings.findApp(token(call))));
      return CALLS.every((call) => (found[call] !== undefined) === winners.includes(call));
    },
  );
};

/** Makes 100 takes of one version: one is applied and stored. */
export const huntTakes: Hunt = async (instances, random, prefix) => {
  const record = await putOwn(
    random.pick(instances),
    prefix,
    committed(packageOf(`${prefix}pkg`), T0),
  );
  const takes = await Promise.all(
    CALLS.map((call) => random.pick(instances).packages.update(leased(record, `run ${call}`))),
  );
  const winners = CALLS.filter((call) => takes[call] === "updated");
  assert.equal(winners.length, 1, `Of 100 takes of one version, ${winners.length} were applied.`);
  await seenByBoth(instances, "the take that was applied is stored.", async ({ packages }) => {
    const found = await packages.find(record.packageId);
    const run = found?.life.lease?.runId;
    return found?.version === record.version + 1 && run === `run ${winners[0]}`;
  });
};

/**
 * Makes 100 commits and removals of one version, and replacements of its file: either one commit or removal wins, and no
 * replacement, or replacements alone; and every key is where it belongs.
 */
export const huntCommits: Hunt = async (instances, random, prefix) => {
  const packageId = `${prefix}pkg`;
  const record = await putOwn(random.pick(instances), prefix, uploaded(packageOf(packageId)));
  const key = (call: number) => `${packageId}/new-${call}`;
  const kinds = CALLS.map(() => random.pick(["commit", "commit", "replace", "remove"]));
  const replacing = CALLS.filter((call) => kinds[call] === "replace");
  await Promise.all(
    replacing.map((call) => random.pick(instances).soundKeys.addPending(key(call), T0 + HOUR)),
  );
  const commit = (call: number): PackageRecord => ({
    ...record,
    life: { ...record.life, committedAt: T0 + call, waitEndsAt: T0 + call + DAY },
  });
  const won = await Promise.all(
    CALLS.map(async (call) => {
      const records = random.pick(instances);
      if (kinds[call] === "remove") {
        return (await records.packages.remove(packageId, record.version)) !== undefined;
      }
      if (kinds[call] === "replace") {
        return (await addFile(records, record, key(call))).kind === "added";
      }
      return (await records.packages.update(commit(call))) === "updated";
    }),
  );
  const added = replacing.filter((call) => won[call]);
  const [winner, ...others] = CALLS.filter((call) => won[call] && !replacing.includes(call));
  assert.deepEqual(others, [], "More than one commit or removal of one version won.");
  const isReplaced = added.length > 0;
  assert.notEqual(
    isReplaced,
    winner !== undefined,
    "A version that was replaced won, or none did.",
  );

  const doomedKeys = (found: PackageRecord | undefined) => {
    const all = [`${packageId}/snd_1`, ...added.map(key)];
    return all.filter((one) => found?.uploaded.get("sound 1.wav") !== one).toSorted();
  };
  await seenByBoth(
    instances,
    "what won is stored, and the other keys are doomed.",
    async ({ packages, soundKeys }) => {
      const found = await packages.find(packageId);
      const page = await soundKeys.list({ state: "doomed", after: packageId, limit: CALLS.length });
      const doomed = page.filter((one) => one.startsWith(`${packageId}/`));
      if (doomed.join() !== doomedKeys(found).join()) return false;
      if (winner === undefined) return found?.version === record.version + added.length;
      if (kinds[winner] === "remove") return found === undefined;
      return isSame(found, { ...commit(winner), version: record.version + 1 });
    },
  );
  await assertPending(instances, replacing.filter((call) => !won[call]).map(key));
};

/** Makes 100 removals of a pairing's tokens: one is the last, and dooms what the app uploads. */
export const huntLastTokens: Hunt = async (instances, random, prefix) => {
  const deviceId = `${prefix}device`;
  await putOwn(instances[0], prefix, uploaded(packageOf(`${prefix}pkg`)));
  const tokens = upTo(2 + random.below(3)).map((at) => `${prefix}token-${at}`);
  for (const tokenHash of tokens) await pair(instances[0], deviceId, { tokenHash });
  const outcomes = await Promise.all(
    CALLS.map((call) =>
      random.pick(instances).pairings.unpair({ tokenHash: tokens[call % tokens.length] ?? "" }, T0),
    ),
  );
  const last = outcomes.filter((outcome) => outcome?.ended !== undefined);
  assert.equal(last.length, 1, `Of 100 removals of tokens, ${last.length} were the last.`);
  const doomed = outcomes.flatMap((outcome) => keysOfSounds(outcome?.doomed));
  assert.deepEqual(doomed, [`${prefix}pkg/snd_1`], "The removals doomed other keys than promised.");
  await seenByBoth(
    instances,
    "the pairing and its uploads are gone.",
    async ({ pairings, packages }) =>
      (await pairings.listPairings(deviceId)).length === 0 &&
      (await packages.find(`${prefix}pkg`)) === undefined,
  );
};

/** Makes 100 announcements with room for one more: one is inserted. */
export const huntLastPlaces: Hunt = async (instances, random, prefix) => {
  const deviceId = `${prefix}device`;
  const record = (call: number) => packageOf(`${prefix}pkg-${call}`, { deviceId });
  await register(instances[0], deviceId);
  await insert(instances[0], packageOf(`${prefix}earlier`, { deviceId }));
  const quotas = random.pick<Partial<Quotas>>([
    { packagesPerHour: 2 },
    { bytesPerDevice: 299 },
    { bytesPerDevice: 200 },
  ]);
  const outcomes = await Promise.all(
    CALLS.map((call) => insert(random.pick(instances), record(call), { quotas })),
  );
  const winners = CALLS.filter((call) => outcomes[call]?.kind === "inserted");
  assert.equal(winners.length, 1, `Of 100 announcements, ${winners.length} got the last place.`);
  await seenByBoth(instances, "exactly the admitted package is stored.", async ({ packages }) => {
    const found = await Promise.all(
      CALLS.map(async (call) => packages.find(`${prefix}pkg-${call}`)),
    );
    return CALLS.every((call) => (found[call] !== undefined) === winners.includes(call));
  });
};

/** Puts a package of the seed's own device. */
async function putOwn(records: OpenedRecords, prefix: string, record: PackageRecord) {
  await register(records, `${prefix}device`);
  return put(records, { ...record, deviceId: `${prefix}device` });
}

async function seenByBoth(
  instances: readonly OpenedRecords[],
  promise: string,
  isTrue: (records: OpenedRecords) => Promise<boolean>,
): Promise<void> {
  for (const records of instances) await eventually(promise, () => isTrue(records));
}

/** Asserts that keys that nobody used are still pending: they can't be used for anything else. */
async function assertPending(
  [records]: readonly [OpenedRecords, OpenedRecords],
  keys: readonly string[],
): Promise<void> {
  const uses = keys.map((key) => records.soundKeys.addPending(key, T0));
  const outcomes = await Promise.allSettled(uses);
  const lost = keys.filter((_, index) => outcomes[index]?.status === "fulfilled");
  assert.deepEqual(lost, [], "Pending keys of updates that lost were deleted.");
}

function isSame(found: PackageRecord | undefined, expected: PackageRecord): boolean {
  return (
    found?.version === expected.version &&
    found.life.committedAt === expected.life.committedAt &&
    [...found.uploaded.values()].join() === [...expected.uploaded.values()].join()
  );
}
