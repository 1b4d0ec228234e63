import { expect, test } from "vitest";
import { OutcomeUnknownError } from "../../../../relay/storage/postgres/connections.ts";
import { claim, putCode } from "../../../contracts/relay/records/code-cases.ts";
import {
  insert,
  INSERTED,
  packageOf,
  pair,
  register,
  T0,
} from "../../../contracts/relay/records/sample-records.ts";
import { type Cut, Cutter } from "../../../sim/cutter.ts";
import { migratedDatabase, openPostgres } from "./open-postgres.ts";
import { soon } from "../../../sim/soon.ts";

/** COMMIT never reaches the database, or it does and its answer is lost. */
const CUTS = {
  before: { at: { text: "COMMIT\0", isHeldBack: true }, does: "end", times: 1 },
  after: { at: { text: "COMMIT\0" }, does: "lose answer", times: 1 },
} satisfies Record<string, Cut>;
const WHEN = ["before", "after"] as const;

/** An instance whose connections can be cut, and one beside it that sees what is in the database. */
async function openCuttable() {
  const stack = new AsyncDisposableStack();
  const database = stack.use(await migratedDatabase());
  const beside = stack.use(await openPostgres(database.url));
  const proxy = stack.use(await Cutter.to(database.url));
  const records = stack.use(await openPostgres(proxy.url));
  await register(beside, "device-1");
  return { proxy, records, beside, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test.each(WHEN)(
  "[SC5] an announcement whose connection is cut %s COMMIT is made once",
  async (cut) => {
    await using opened = await openCuttable();
    const { proxy, records, beside } = opened;
    proxy.play(CUTS[cut]);
    expect(await insert(records, packageOf("pkg_1"))).toEqual(INSERTED);
    expect(proxy.cuts).toBe(1);
    expect((await beside.packages.find("pkg_1"))?.version).toBe(1);
    const owner = { deviceId: "device-1", appId: packageOf("pkg_1").appId };
    expect((await beside.packages.readHour(owner, T0)).announcements).toBe(1);
  },
);

test.each(WHEN)("[SC5] a change of a package that is cut %s COMMIT is made once", async (cut) => {
  await using opened = await openCuttable();
  const { proxy, records, beside } = opened;
  await insert(beside, packageOf("pkg_1"));
  const record = packageOf("pkg_1");
  proxy.play(CUTS[cut]);
  const life = { ...record.life, committedAt: T0, waitEndsAt: T0 + 1 };
  expect(await records.packages.update({ ...record, life })).toBe("updated");
  expect(proxy.cuts).toBe(1);
  const found = await beside.packages.find("pkg_1");
  expect([found?.version, found?.life.committedAt]).toEqual([2, T0]);
});

test.each(WHEN)("[SC5] a removal that is cut %s COMMIT succeeds once", async (cut) => {
  await using opened = await openCuttable();
  const { proxy, records, beside } = opened;
  await insert(beside, packageOf("pkg_1"));
  proxy.play(CUTS[cut]);
  expect(await records.packages.remove("pkg_1", 1)).toEqual({ doomed: [] });
  expect(await beside.packages.find("pkg_1")).toBeUndefined();
});

test.each(WHEN)("[SC5] a claim that is cut %s COMMIT pairs once", async (cut) => {
  await using opened = await openCuttable();
  const { proxy, records, beside } = opened;
  await putCode(beside.pairings, "device-1", "code");
  proxy.play(CUTS[cut]);
  expect(await claim(records.pairings, "code", "token")).toBeDefined();
  expect(await beside.pairings.listPairings("device-1")).toHaveLength(1);
  expect(await beside.pairings.findApp("token")).toBeDefined();
});

test.each(WHEN)("[SC5] a registration that is cut %s COMMIT is made once", async (cut) => {
  await using opened = await openCuttable();
  const { proxy, records, beside } = opened;
  proxy.play(CUTS[cut]);
  await register(records, "device-2");
  expect(proxy.cuts).toBe(1);
  expect((await beside.pairings.findDevice("device-2-token"))?.deviceId).toBe("device-2");
});

test.each(WHEN)("[SC5] a key whose connection is cut %s COMMIT is pending", async (cut) => {
  await using opened = await openCuttable();
  const { proxy, records, beside } = opened;
  proxy.play(CUTS[cut]);
  await records.soundKeys.addPending("pkg_1/snd_1", T0);
  expect(proxy.cuts).toBe(1);
  const page = { state: "pending", endedBy: T0, limit: 9 } as const;
  expect(await beside.soundKeys.list(page)).toEqual(["pkg_1/snd_1"]);
});

test("[SC5] a change that can't be looked up rejects, and the call can be repeated", async () => {
  await using opened = await openCuttable();
  const { proxy, records, beside } = opened;
  await pair(beside, "device-1");
  proxy.play(CUTS.after);
  const removal = records.pairings.unpair({ tokenHash: "device-1-app-1-token" }, T0);
  await expect(removal).rejects.toBeInstanceOf(OutcomeUnknownError);
  // The cut-off COMMIT may still be on its way.
  await soon(() => beside.pairings.findApp("device-1-app-1-token")).toBeUndefined();
  const again = await records.pairings.unpair({ tokenHash: "device-1-app-1-token" }, T0);
  expect(again).toBeUndefined();
});

test("[SC5] a read whose connection is lost is asked again", async () => {
  await using opened = await openCuttable();
  const { proxy, records } = opened;
  await insert(records, packageOf("pkg_1"));
  // Opens the connections for reads.
  for (let read = 0; read < 4; read++) await records.packages.find("pkg_1");
  proxy.play({ at: { bytes: 0 }, does: "lose answer", times: 1 });
  const found = await Promise.all(
    Array.from({ length: 20 }, async () => records.packages.find("pkg_1")),
  );
  expect(found.map((record) => record?.packageId)).toEqual(Array(20).fill("pkg_1"));
  expect(proxy.cuts).toBe(1);
});
