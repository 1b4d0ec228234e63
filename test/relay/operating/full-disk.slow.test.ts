import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Site } from "../../sim/faults/site.ts";
import { canMount } from "../../sim/private-disk.ts";
import { soon } from "../../sim/soon.ts";
import { SUM } from "./operate.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** Blocks addresses until the ballast is gone: more than the free room in the database's own files takes. */
const USE_UP = `
  import { existsSync } from "node:fs";
  import { join } from "node:path";
  const [folder, root] = process.argv.slice(1);
  const { openActions } = await import(join(root, "relay/operating/administer.ts"));
  await using admin = await openActions({ dataFolder: folder }, { who: "anna" });
  let count = 0;
  for (; existsSync(join(folder, "ballast")) && count < 5000; count += 1) {
    const subject = \`198.51.\${count >> 8}.\${count % 256}\`;
    await admin.block({ subject, kind: "address" }, true);
  }
  console.log(count);
`;

/** A relay whose disk has room for its ballast only, as an operator's programs see it. */
async function fullSite() {
  const site = await Site.open({ diskSize: "12m" });
  await site.sendWaiting(2);
  const hasBallast = () => existsSync(join(site.data, "ballast"));
  await soon(async () => hasBallast()).toBe(true);
  const data = join(site.folder, "disk", "data");
  return {
    site,
    hasBallast,
    useUp: () => site.disk.run(process.execPath, "--input-type=module", "-e", USE_UP, data, ROOT),
    /** `soundferry admin`. @throws {Error} unless it exits with 0 */
    admin: async (...words: readonly string[]) => {
      const script = join(ROOT, "cli", "soundferry.ts");
      const run = ["admin", ...words, "--data", data, "--json"];
      return JSON.parse(await site.disk.run(process.execPath, script, ...run));
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

describe.skipIf(!canMount())("on a full disk (needs a mount)", () => {
  test("[Z7][Z14] an operator's commands use the ballast while no relay runs", async () => {
    await using full = await fullSite();
    const { site, admin } = full;
    await site.stop();
    await site.disk.fillUp();
    const { packages } = await admin("packages");
    expect(full.hasBallast()).toBe(false);
    await admin("block", "192.0.2.0/24");
    expect(await admin("deny", SUM)).toMatchObject({ denied: true });
    expect(await admin("purge", packages[0].package_id)).toMatchObject({
      purged: true,
      waiting: 0,
    });
    const { apps } = await admin("apps");
    expect(await admin("revoke", apps[0].pairing_id)).toMatchObject({ revoked: true, waiting: 0 });
    const { devices } = await admin("devices");
    expect(await admin("erase", devices[0].device_id)).toMatchObject({ erased: true, waiting: 0 });
    expect(await site.filesIn("sounds")).toEqual([]);
  });

  test("[Z7][Z14] an operator's changes use the ballast beside a relay, whose callers are served", async () => {
    await using full = await fullSite();
    const { site, admin } = full;
    await site.disk.fillUp();
    expect(Number(await full.useUp())).toBeGreaterThan(0);
    expect(full.hasBallast()).toBe(false);
    const { packages } = await admin("packages");
    expect(await admin("purge", packages[0].package_id)).toMatchObject({
      purged: true,
      waiting: 0,
    });
    const kept = site.waiting.find(({ id }) => id !== packages[0].package_id);
    await site.app.withdraw(kept?.key ?? "");
  });
});
