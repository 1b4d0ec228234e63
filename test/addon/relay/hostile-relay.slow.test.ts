import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { writeLocalPackage } from "../importer-at-work.ts";
import { startHostileRelays } from "./hostile-relays.ts";
import type { HostileReport, HostileTask } from "./hostile-task.ts";
import { startStandIn } from "./linked-client.ts";

const MOST_MB = 400;

/** Runs the task in a process of its own, which ends by itself. */
async function perform(task: HostileTask): Promise<HostileReport> {
  const script = join(import.meta.dirname, "hostile-importer-process.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(task)], {
    timeout: 200_000,
  });
  return JSON.parse(stdout) as HostileReport;
}

test(
  "[I7] an importer among hostile relays stays below 400 MB and works on",
  { timeout: 300_000 },
  async () => {
    const folder = await temporaryFolder();
    await writeLocalPackage(join(folder, "inbox", "Mine"), "Mine", ["Kick"]);
    const honest = await startStandIn({ [`pkg_${"h".repeat(22)}`]: ["Snare"] });
    const addresses = await startHostileRelays();
    const report = await perform({ folder, addresses, honest: honest.url, dwellMs: 2500 });
    const said = Object.fromEntries(
      addresses.map((address, at) => [new URL(address).pathname, report.troubles[at]]),
    );
    expect(said).toMatchObject({
      "/pages": expect.stringMatching(/is too large|more than 2000|is too slow|none/),
      "/values": expect.stringMatching(/is too long/),
      "/ids": expect.stringMatching(/lists 5 packages that can't be used/),
      "/hello": expect.stringMatching(/is too long/),
      "/register": expect.stringMatching(/is too long/),
      "/list": expect.stringMatching(/is too long/),
      "/errors": expect.stringMatching(/is too long/),
      "/waits": expect.stringMatching(/^z{100,200}/),
      "/headers": expect.stringMatching(/not a Soundferry relay|connection to .* was lost/),
      "/messages": expect.stringMatching(/too many notifications/),
      // The library ends a connection whose pongs nobody reads.
      "/pings": expect.stringMatching(/too many notifications|closed the connection/),
    });
    for (const sentence of report.troubles) expect(sentence.length).toBeLessThan(300);
    expect(report.mostListed).toBeLessThanOrEqual(2000);
    expect(report.failures).toEqual([]);
    expect(report.scenes.toSorted()).toEqual([
      "Kit hhhhhhhhhhhhhhhhhhhhhh (Looper)",
      "Mine (Looper)",
    ]);
    expect(report.peakMb).toBeLessThan(MOST_MB);
    process.stdout.write(`peak ${report.peakMb}\n`);
  },
);

test("[I7] a reader without these limits would take more", { timeout: 120_000 }, async () => {
  const addresses = await startHostileRelays();
  const task = { folder: "", addresses, honest: "", dwellMs: 0, isNaive: true };
  expect((await perform(task)).peakMb).toBeGreaterThan(MOST_MB);
});
