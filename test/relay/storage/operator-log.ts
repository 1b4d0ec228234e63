import { expect } from "vitest";
import type { PackageRecords } from "../../../relay/domain/ports.ts";
import { DAY, T0 } from "../../contracts/relay/records/sample-records.ts";

const LOG = [T0 - 1, T0, T0 + DAY];

/** SQL that fills the log of an operator's actions, and that reads it. */
export const LOGGED = {
  fill: `INSERT INTO operator_log (at, who, action, subject) VALUES ${LOG.map((at) => `(${at}, 'somebody', 'block', 'dev_1')`).join(", ")}`,
  read: "SELECT CAST(at AS double precision) AS at FROM operator_log ORDER BY at",
};

/** Checks that entries of a filled log are forgotten after 365 days, and no sooner (rule AD2). */
export async function expectForgotten(
  packages: PackageRecords,
  logged: () => Promise<readonly unknown[]>,
): Promise<void> {
  await packages.forgetOld(T0 + 365 * DAY - 1);
  expect(await logged()).toEqual(LOG.map((at) => ({ at })));
  await packages.forgetOld(T0 + 365 * DAY);
  expect(await logged()).toEqual(LOG.slice(1).map((at) => ({ at })));
}
