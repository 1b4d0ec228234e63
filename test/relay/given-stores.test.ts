import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { MemoryDatabase, MemoryRecords } from "../../docs/examples/stores/memory-records.ts";
import { MemoryDisk, MemorySounds } from "../../docs/examples/stores/memory-sounds.ts";
import {
  buildRelay,
  FolderInUseError,
  readRelaySettings,
  type RelayClock,
} from "../../relay/index.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { smallWav } from "../wav-bytes.ts";
import { importerCall } from "./http/importer-call.ts";
import { RunningRelay } from "./running-relay.ts";
import { soon } from "../sim/soon.ts";

/** Stores in memory that remember whether somebody disposed them. */
function stores() {
  const disposed: string[] = [];
  const records = Object.assign(new MemoryRecords(new MemoryDatabase()), {
    [Symbol.asyncDispose]: async () => void disposed.push("records"),
  });
  const sounds = Object.assign(new MemorySounds(new MemoryDisk()), {
    [Symbol.asyncDispose]: async () => void disposed.push("sounds"),
  });
  return { records, sounds, disposed };
}

test("[J8] a relay that is given its stores serves a package end to end and leaves an empty folder empty", async () => {
  const folder = await temporaryFolder();
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  for (const name of ["HOME", "TMPDIR", "XDG_DATA_HOME"]) vi.stubEnv(name, folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { records, sounds, disposed } = stores();
  const settings = { SOUNDFERRY_DATA: join(folder, "data") };
  const relay = await RunningRelay.start(settings, { ports: { records, sounds } });
  expect((await relay.call("GET", "/importer/hello")).json).not.toHaveProperty("instance");
  const { importer, token } = await relay.paired();
  const id = await relay.send(token);
  const { take, list, report } = importerCall(relay, importer.token, id);
  await take();
  const [listed] = await list();
  const { text } = await relay.call("GET", listed.files["kick.wav"], { token: importer.token });
  expect(text).toBe(new TextDecoder().decode(smallWav()));
  await report({ 1: { status: "imported" } });
  expect((await relay.status(token, id)).status).toBe("imported");
  await relay.sweep();
  expect(await readdir(folder)).toEqual([]);
  await relay.stop();
  expect(await readdir(folder)).toEqual([]);
  expect(disposed).toEqual([]);
});

test.each([
  { given: "records", opened: ["relay.lock", "sounds"] },
  { given: "sounds", opened: ["relay.lock", "relay.sqlite"] },
] as const)(
  "[J8] a relay that is given only its $given locks the folder and opens there what it lacks",
  async ({ given, opened }) => {
    const ports = { [given]: stores()[given] };
    const folder = join(await temporaryFolder(), "data");
    const settings = { SOUNDFERRY_DATA: folder };
    await using relay = await RunningRelay.start(settings, { ports });
    await expect(RunningRelay.start(settings, { ports })).rejects.toThrow(FolderInUseError);
    const { token } = await relay.paired();
    await relay.send(token);
    const files = (await readdir(folder)).filter((name) => !/-(wal|shm|journal)$/.test(name));
    expect(files.toSorted()).toEqual(opened);
  },
);

function clockAt(time: number): RelayClock {
  return { now: () => time, confirmedNow: () => time };
}

test("[J3] a store's clock is the relay's time", async () => {
  const { records, sounds } = stores();
  const clock = clockAt(Date.parse("2031-05-01T00:00:00Z"));
  const folder = await temporaryFolder();
  const environment = { SOUNDFERRY_LOG_LEVEL: "silent", SOUNDFERRY_DATA: folder };
  const settings = readRelaySettings({ environment });
  const ports = { records: Object.assign(records, { clock }), sounds };
  await using relay = await buildRelay(settings, { ports });
  expect(relay.context.clock.now()).toBe(clock.now());
  const other = clockAt(0);
  await using second = await buildRelay(settings, { ports: { ...ports, clock: other } });
  expect(second.context.clock.now()).toBe(other.now());
});

test("[J2] what a dead process was uploading is doomed when the relay opens its own database", async () => {
  const folder = join(await temporaryFolder(), "data");
  const settings = { SOUNDFERRY_DATA: folder };
  const first = await RunningRelay.start(settings);
  const { soundKeys, sounds, clock } = first.relay.context;
  await soundKeys.addPending("pkg_a/snd_b", clock.now() + 3_600_000);
  const writer = await sounds.create("pkg_a/snd_b", { bytes: 3, sha256: "0".repeat(64) });
  await writer.write(new Uint8Array(3));
  await writer.finish();
  await first.stop();
  await using second = await RunningRelay.start(settings);
  const { context } = second.relay;
  await soon(() => context.sounds.sizes(["pkg_a/snd_b"])).toEqual(new Map());
  await soon(() => context.soundKeys.list({ state: "doomed", limit: 9 })).toEqual([]);
});
