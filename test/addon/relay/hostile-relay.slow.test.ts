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

/** The panel's sentence at each hostile relay, by the path of its address. */
const SAYS: Readonly<Record<string, string>> = {
  "/pages": "is too large",
  "/values": "is too long",
  "/results": "can't be used|not a Soundferry relay",
  "/ids": "lists 5 packages that can't be used",
  "/hello": "is too long",
  "/register": "is too long",
  "/apps": "is too long",
  "/list": "is too long",
  "/errors": "is too long",
  "/waits": "^z{100,200}",
  "/headers": "not a Soundferry relay|connection to .* was lost",
  "/redirects": "refused the request",
  "/messages": "too many notifications",
  // The library ends a connection whose pongs nobody reads.
  "/pings": "too many notifications|closed the connection",
};

async function hostileRelays() {
  const addresses = await startHostileRelays();
  return addresses.map((address) => [address, SAYS[new URL(address).pathname] ?? null] as const);
}

/** Runs the task in a process of its own, which ends automatically. */
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
    const relays = await hostileRelays();
    const report = await perform({ folder, relays, honest: honest.url });
    for (const [at, [address, says]] of relays.entries()) {
      const said = report.troubles[at];
      if (says !== null) expect(said, address).toMatch(new RegExp(says));
    }
    for (const sentence of report.troubles) expect(sentence.length).toBeLessThan(300);
    expect(report.mostListed).toBeLessThanOrEqual(2000);
    expect(report.failures).toEqual([]);
    expect(report.scenes.toSorted()).toEqual([
      "Kit hhhhhhhhhhhhhhhhhhhhhh (Looper)",
      "Mine (Looper)",
    ]);
    expect(report.peakMb).toBeLessThan(MOST_MB);
  },
);

test("[I7] a reader without these limits would take more", { timeout: 120_000 }, async () => {
  const relays = await hostileRelays();
  const task = { folder: "", relays, honest: "", isNaive: true };
  expect((await perform(task)).peakMb).toBeGreaterThan(MOST_MB);
});
