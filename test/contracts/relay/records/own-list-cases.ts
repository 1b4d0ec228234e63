import assert from "node:assert/strict";
import { tiersOf } from "../../../../core/quotas/address-tiers.ts";
import type { PackagePage } from "../../../../relay/domain/ports.ts";
import { idsOf } from "./list-cases.ts";
import { one, type OpenedRecords } from "./records-case.ts";
import {
  ADDRESS,
  committed,
  HOUR,
  insert,
  MINUTE,
  packageOf,
  put,
  register,
  T0,
} from "./sample-records.ts";

const OWNER = { deviceId: "device-1", appId: "app-1" };
const ALL: PackagePage = { after: undefined, limit: 100 };
const at = (minutes: number) => ({ createdAt: T0 + minutes * MINUTE });
const PLACES = Array.from({ length: 7 }, (_, index) => index);

/** The promises of `PackageRecords` to an app about its own packages and quotas (rules A4, L1, S7). */
export const OWN_LIST_CASES = [
  one(
    "[S7] lists an app's own packages, newest announcement first, whatever became of them",
    async (records) => {
      await register(records, "device-1");
      await register(records, "device-2");
      await put(records, packageOf("old", at(1)));
      await put(records, committed(packageOf("newest", at(3)), T0 + 4 * MINUTE));
      const deleted = committed(packageOf("deleted", at(2)), T0 + 5 * MINUTE);
      await put(records, { ...deleted, filesDeleted: true });
      await put(records, packageOf("other-app", { ...at(4), appId: "app-2" }));
      await put(records, packageOf("elsewhere", { ...at(4), deviceId: "device-2" }));
      const listed = (await records.packages.list(OWNER, ALL)) ?? [];
      assert.deepEqual(idsOf(listed), ["newest", "deleted", "old"]);
      assert.deepEqual(listed[1]?.filesDeleted, true);
    },
  ),

  one("[S7] pages of an app's own list have each package that stays once", async (records) => {
    await register(records, "device-1");
    for (const index of PLACES) {
      const createdAt = T0 + Math.floor(index / 3) * MINUTE;
      await put(records, packageOf(`pkg_${index}`, { createdAt }));
    }
    const whole = idsOf((await records.packages.list(OWNER, ALL)) ?? []);
    assert.equal(whole.length, PLACES.length);
    for (const limit of [1, 2, 3, PLACES.length]) {
      assert.deepEqual(await walk(records, limit), whole, `Pages of ${limit}`);
    }
    const meanwhile = async () => {
      await put(records, packageOf("new", { createdAt: T0 + HOUR }));
    };
    assert.deepEqual(await walk(records, 2, meanwhile), whole);
    for (const after of ["x", "-1", "%"]) {
      assert.equal(await records.packages.list(OWNER, { after, limit: 1 }), undefined);
    }
  }),

  one("[A4][L1] tells what an app has used of its quotas", async (records) => {
    await register(records, "device-1");
    const usageAt = (now: number) =>
      records.packages.readUsage(OWNER, { ...tiersOf(ADDRESS), now });
    const hourAt = (now: number) => records.packages.readHour(OWNER, now);
    assert.deepEqual(await hourAt(T0), { announcements: 0, firstAnnouncedAt: null });
    await insert(records, packageOf("a", { sizes: [600] }), { now: T0 });
    await insert(records, packageOf("b", { sizes: [30] }), { now: T0 + MINUTE });
    await put(records, committed(packageOf("c"), T0 + MINUTE));
    const used = await usageAt(T0 + 2 * MINUTE);
    const hour = { announcements: 3, firstAnnouncedAt: T0 };
    assert.deepEqual(await hourAt(T0 + 2 * MINUTE), hour);
    const { reservedOfApp, reservedOfAddress, reservedBytes, waitingPackages } = used;
    assert.deepEqual([reservedOfApp, reservedOfAddress, reservedBytes], [630, 630, 630]);
    assert.deepEqual(used.reservedOfNetworks, [630]);
    assert.equal(waitingPackages, 1);
    assert.equal((await hourAt(T0 + 3 * HOUR)).announcements, 0);
  }),
];

/** Reads the ids of all pages. `meanwhile` runs between the first two. */
async function walk(
  { packages }: OpenedRecords,
  limit: number,
  meanwhile = async () => {},
): Promise<readonly string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  for (let step = 0; step <= PLACES.length; step += 1) {
    const page = (await packages.list(OWNER, { after, limit })) ?? [];
    ids.push(...idsOf(page));
    after = page.at(-1)?.cursor;
    if (page.length < limit) return ids;
    if (step === 0) await meanwhile();
  }
  throw new Error("The list has no end.");
}
