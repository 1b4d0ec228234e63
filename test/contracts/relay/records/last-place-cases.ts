import assert from "node:assert/strict";
import type { Quotas } from "../../../../relay/domain/ports.ts";
import { type OpenedRecords, two } from "./records-case.ts";
import { INSERTED, T0, committed, insert, packageOf, put, register } from "./sample-records.ts";

const TRIES = Array.from({ length: 100 }, (_, index) => index);

/** What two instances on one store promise at the edge of a quota (rule J5). */
export const LAST_PLACE_CASES = [
  lastPlace("[L1] in the hour", { packagesPerHour: 10 }, "hourly-limit"),
  lastPlace("[L4] in the address's day", { bytesPerAddressPerDay: 1099 }, "uploads-unfinished"),
  lastPlace("[L2] on the device", { bytesPerDevice: 1099 }, "uploads-unfinished"),
  lastPlace("[U6] in the sound store", { roomBytes: 1099 }, "uploads-unfinished"),

  two(
    "[J5][L2] a package that one instance commits or reports counts at once for the other's inserts",
    async (first, second) => {
      await register(first, "device-1");
      const quotas = { waitingPerDevice: 2 };
      await put(first, committed(packageOf("waits"), T0));
      for (let round = 0; round < 10; round += 1) {
        const announce = (records: OpenedRecords, name: string) =>
          insert(records, packageOf(`${name}_${round}`), { quotas });
        const waiting = await put(first, committed(packageOf(`edge_${round}`), T0));
        const refused = await announce(second, "refused");
        assert.deepEqual(refused, { kind: "many-wait" }, "A commit did not count at once.");
        const life = { ...waiting.life, outcome: "imported" as const };
        assert.equal(await first.packages.update({ ...waiting, life }), "updated");
        assert.deepEqual(await announce(second, "b"), INSERTED, "A report did not free its place.");
      }
    },
  ),
];

/** 100 announcements of 100 bytes at a quota that has room for one more, and would for two with a byte more. */
function lastPlace(where: string, quotas: Partial<Quotas>, refusal: string) {
  const [rule, place] = [where.slice(0, 4), where.slice(5)];
  return two(
    `[J5]${rule} of 100 announcements in two instances exactly one gets the last place ${place}`,
    async (first, second) => {
      await register(first, "device-1");
      for (let earlier = 0; earlier < 9; earlier += 1) {
        assert.deepEqual(
          await insert(first, packageOf(`earlier_${earlier}`), { quotas }),
          INSERTED,
        );
      }
      const outcomes = await Promise.all(
        TRIES.map((index) =>
          insert(index % 2 === 0 ? first : second, packageOf(`pkg_${index}`), { quotas }),
        ),
      );
      const kinds = Map.groupBy(outcomes, ({ kind }) => kind);
      assert.equal(kinds.get("inserted")?.length ?? 0, 1, "Not exactly one was admitted.");
      assert.deepEqual([...kinds.keys()].toSorted(), ["inserted", refusal].toSorted());
      const found = await Promise.all(
        TRIES.map((index) => (index % 2 === 0 ? first : second).packages.find(`pkg_${index}`)),
      );
      const expected = outcomes.map(({ kind }) => kind === "inserted");
      assert.deepEqual(
        found.map(Boolean),
        expected,
        "Another package is stored than was admitted.",
      );
    },
  );
}
