import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InstanceMismatch } from "../../../relay/domain/upkeep/instance-mismatch.ts";
import { restore } from "../../../relay/operating/restore.ts";
import { RunningRelay } from "../running-relay.ts";
import { emptyFolder, relayWithSounds } from "./backed-up-relay.ts";

const PROCESS = join(import.meta.dirname, "stopped-restore.ts");

/** Ids of the packages that a relay on the folder serves whole; "refused" if it doesn't start. */
async function servedFrom(folder: string, token: string): Promise<readonly string[] | "refused"> {
  let relay: RunningRelay;
  try {
    relay = await RunningRelay.start({ SOUNDFERRY_DATA: folder });
  } catch (error) {
    expect(error).toBeInstanceOf(InstanceMismatch);
    return "refused";
  }
  try {
    const { json } = await relay.call("GET", "/importer/packages", { token });
    for (const { package_id: id, files } of json.packages) {
      const path = `/importer/packages/${id}/take`;
      expect((await relay.call("POST", path, { token, body: { run_id: id } })).status).toBe(200);
      for (const file of Object.values<string>(files)) {
        expect((await relay.call("GET", file, { token })).status).toBe(200);
      }
    }
    return json.packages.map((one: { package_id: string }) => one.package_id).toSorted();
  } finally {
    await relay.stop();
  }
}

test("[Z10] a restore that is killed at any call leaves the old relay, the new one, or one that refuses to start", async () => {
  const { relay, token, importer, packages, run } = await relayWithSounds();
  const restored = packages.toSorted();
  const { folder: backup } = await run();
  const old = [...packages, await relay.send(token, ["snare.wav"])].toSorted();
  await relay.stop();
  const found: string[] = [];
  for (let stopAt = 1; ; stopAt += 1) {
    const folder = join(await emptyFolder(), "relay");
    await cp(relay.folder, folder, { recursive: true });
    const child = spawn(process.execPath, [PROCESS, backup, folder, String(stopAt)], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    const [status] = await once(child, "exit");
    const served = await servedFrom(folder, importer.token);
    if (served === "refused") found.push("refused");
    else found.push(served.length === old.length ? "old" : "new");
    if (served !== "refused") expect([old, restored]).toContainEqual(served);
    await restore({ backup, dataFolder: folder, isReplacing: true });
    expect(await servedFrom(folder, importer.token)).toEqual(restored);
    if (status === 0) break;
  }
  expect(found.length).toBeGreaterThan(15);
  expect([...new Set(found)]).toEqual(["old", "refused", "new"]);
});
