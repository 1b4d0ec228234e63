import {
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  unlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { checkRelay, type CheckTask } from "../../../relay/operating/check.ts";
import { DeletionHold } from "../../../relay/operating/hold-deletions.ts";
import { smallWav } from "../../wav-bytes.ts";
import { soon } from "../../sim/soon.ts";
import { emptyFolder, relayWithSounds, soundsIn, startOn } from "./backed-up-relay.ts";

const NOTHING = {
  lost: [],
  unknown: [],
  unfinished: [],
  misplaced: [],
  quarantined: [],
  damage: [],
};

async function checkedRelay() {
  const cases = await relayWithSounds();
  const dataFolder = cases.relay.folder;
  const look = (options: CheckTask = {}) => checkRelay({ dataFolder }, options);
  const path = (...names: string[]) => join(dataFolder, ...names);
  return { ...cases, look, path };
}

test("[Z9] nothing is found at a relay that is well, while it runs and when it is stopped", async () => {
  const { relay, look } = await checkedRelay();
  const well = { ...NOTHING, mismatch: undefined, doomedCount: 0, clock: { isBack: false } };
  expect(await look()).toMatchObject(well);
  await relay.stop();
  expect(await look()).toMatchObject(well);
});

test("[Z9] a missing folder of sounds is found, beside a running relay too, and not created", async () => {
  const { relay, look, path } = await checkedRelay();
  await rename(path("sounds"), path("away"));
  const { mismatch, lost, soundCount } = await look();
  expect({ mismatch, soundCount }).toEqual({ mismatch: "sounds-unmarked", soundCount: 0 });
  expect(lost).toHaveLength(2);
  expect(await readdir(relay.folder)).not.toContain("sounds");
  await rename(path("away"), path("sounds"));
});

test("[Z9] lost files and unknown sounds are found, and repaired beside the running relay", async () => {
  const { relay, look, path, token, packages } = await checkedRelay();
  const [lost = ""] = await soundsIn(relay.folder);
  await unlink(path("sounds", lost));
  await mkdir(path("sounds", "pkg_foreign"));
  await writeFile(path("sounds", "pkg_foreign", "snd_1"), "foreign");
  await mkdir(path("sounds", "pkg_empty"));

  const found = await look();
  const packageId = lost.split("/")[0] ?? "";
  expect(found.lost.map((one) => [one.packageId, [...one.files.values()]])).toEqual([
    [packageId, [lost]],
  ]);
  expect(found.unknown.map(({ key }) => key)).toEqual(["pkg_foreign/snd_1"]);
  expect(await soundsIn(relay.folder), "only looked").toContain("pkg_foreign/snd_1");

  const { repairs } = await look({ isRepairing: true });
  expect(repairs).toMatchObject({ putBack: [], quarantined: ["pkg_foreign/snd_1"] });
  expect(repairs?.markedLost).toHaveLength(1);
  const after = await look();
  expect(after).toMatchObject({
    ...NOTHING,
    quarantined: [{ key: "pkg_foreign/snd_1", bytes: 7 }],
  });
  expect(await soundsIn(relay.folder)).toHaveLength(2);
  expect(packages).toContain(packageId);
  await soon(async () => Object.values((await relay.status(token, packageId)).files)).toContain(
    "missing",
  );
});

test("[Z9] files that were cut off are found, and repaired: the status says missing, and their bytes are kept", async () => {
  const { relay, look, path } = await checkedRelay();
  const [cut = ""] = await soundsIn(relay.folder);
  await truncate(path("sounds", cut), 20);
  const found = await look();
  expect(found.lost.flatMap(({ files }) => Array.from(files.values()))).toEqual([cut]);
  const { repairs } = await look({ isRepairing: true });
  expect(repairs?.markedLost).toHaveLength(1);
  expect(await look()).toMatchObject({ ...NOTHING, quarantined: [{ key: cut, bytes: 20 }] });
});

test("[Z9] what the quarantine has and a record knows is put back", async () => {
  const { relay, look, path } = await checkedRelay();
  const [sound = ""] = await soundsIn(relay.folder);
  const [packageId = ""] = sound.split("/");
  await mkdir(path("sounds", ".quarantine", "1767225600000", packageId), { recursive: true });
  await rename(path("sounds", sound), path("sounds", ".quarantine", "1767225600000", sound));
  expect(await look()).toMatchObject({ ...NOTHING, misplaced: [{ key: sound }] });
  const { repairs } = await look({ isRepairing: true });
  expect(repairs).toEqual({ putBack: [sound], quarantined: [], markedLost: [] });
  expect(await look()).toMatchObject(NOTHING);
  expect(await soundsIn(relay.folder)).toContain(sound);
});

test("[Z9] no number of unknown sounds is too many for an operator", async () => {
  const { relay, look, path } = await checkedRelay();
  await mkdir(path("sounds", "pkg_foreign"));
  const names = Array.from({ length: 450 }, (_, index) => `snd_${index}`);
  for (const name of names) await writeFile(path("sounds", "pkg_foreign", name), "foreign");
  const { repairs } = await look({ isRepairing: true });
  expect(repairs?.quarantined).toHaveLength(450);
  expect(await soundsIn(relay.folder)).toHaveLength(3);
});

test("[Z9] an upload that runs is no finding", async () => {
  const { relay, look, path } = await checkedRelay();
  const { soundKeys, clock } = relay.relay.context;
  await mkdir(path("sounds", "pkg_runs"));
  await soundKeys.addPending("pkg_runs/snd_1", clock.now() + 60_000);
  await writeFile(path("sounds", "pkg_runs", "snd_1.part"), "half");
  await soundKeys.addPending("pkg_runs/snd_2", clock.now() + 60_000);
  await writeFile(path("sounds", "pkg_runs", "snd_2"), "whole");
  const { repairs } = await look({ isRepairing: true });
  expect(repairs).toEqual({ putBack: [], quarantined: [], markedLost: [] });
  expect(await look()).toMatchObject(NOTHING);
  expect(await soundsIn(relay.folder)).toHaveLength(5);
});

test("[Z9][Z1] sounds without their database, or with another one, are a mismatch, and nothing is repaired", async () => {
  const { relay, look, path } = await checkedRelay();
  await relay.stop();
  await rm(path("relay.sqlite"));
  expect(await look({ isRepairing: true })).toMatchObject({
    mismatch: "database-missing",
    repairs: undefined,
  });
  const other = await emptyFolder();
  await (await startOn(other)).stop();
  await cp(join(other, "relay.sqlite"), path("relay.sqlite"));
  expect(await look({ isRepairing: true })).toMatchObject({
    mismatch: "ids-differ",
    repairs: undefined,
  });
  expect(await soundsIn(relay.folder)).toHaveLength(3);
});

test("[Z9] a damaged database is found", async () => {
  const { relay, look, path } = await checkedRelay();
  await relay.stop();
  const bytes = await readFile(path("relay.sqlite"));
  await writeFile(path("relay.sqlite"), bytes.fill(0xff, 8192, 40_960));
  expect((await look({ isRepairing: true })).damage).not.toEqual([]);
  await writeFile(path("relay.sqlite"), bytes.fill(0xff));
  expect((await look()).damage).not.toEqual([]);
});

test("[Z9][Z6] a clock that was set back is found, and an operator says that it is right", async () => {
  const { relay, look, path } = await checkedRelay();
  await relay.stop();
  const wall = () => Date.now() - 7_200_000;
  const { upkeep } = relay.relay.context;
  expect(upkeep).toBeDefined();
  using database = new DatabaseSync(path("relay.sqlite"));
  database.exec(`INSERT OR REPLACE INTO upkeep VALUES ('time', '${Date.now()}')`);
  expect((await look({ wall })).clock.isBack).toBe(true);
  expect((await look({ wall, isResettingClock: true })).isClockReset).toBe(true);
  expect((await look({ wall })).clock.isBack).toBe(false);
});

/** Flips a bit of a stored sound. */
async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(50) ^ 1, 50);
  await writeFile(path, bytes);
}

function deepProgress() {
  const read = { all: 0, done: 0 };
  const begin = (bytes: number) => void (read.all += bytes);
  const compared = (bytes: number) => void (read.done += bytes);
  return { read, deep: { begin, compared } };
}

test("[Z16] a flipped bit is found by comparing bytes alone, and repaired beside the running relay", async () => {
  const { relay, look, path, token } = await checkedRelay();
  const [bad = ""] = await soundsIn(relay.folder);
  const [packageId = ""] = bad.split("/");
  await flip(path("sounds", bad));
  expect(await look()).toMatchObject({ ...NOTHING, differing: undefined });
  const { read, deep } = deepProgress();
  const found = await look({ deep });
  expect(found.differing).toMatchObject([{ packageId, key: bad, found: "differs" }]);
  expect(found.differing?.[0]?.record).toMatchObject({ appName: expect.any(String) });
  expect(found).toMatchObject(NOTHING);
  expect(read).toEqual({ all: read.done, done: 3 * smallWav().length });
  expect(await soundsIn(relay.folder), "only looked").toHaveLength(3);

  await look({ deep, isRepairing: true });
  expect(await look({ deep })).toMatchObject({
    ...NOTHING,
    quarantined: [{ key: bad }],
    differing: [],
  });
  const { status, files } = await relay.status(token, packageId);
  expect({ status, files: Object.values(files) }).toMatchObject({ status: "waiting" });
  expect(Object.values(files)).toContain("missing");
});

test("[Z16] while a backup is made no differing sound is moved", async () => {
  const { relay, look, path } = await checkedRelay();
  const [bad = ""] = await soundsIn(relay.folder);
  await flip(path("sounds", bad));
  const { deep } = deepProgress();
  {
    using _hold = new DeletionHold(relay.folder);
    await expect(look({ deep, isRepairing: true })).rejects.toThrow("A backup is being made");
  }
  expect(await soundsIn(relay.folder)).toContain(bad);
  await look({ deep, isRepairing: true });
  expect(await soundsIn(relay.folder)).not.toContain(bad);
});

test("[Z9] a folder without a relay is named", async () => {
  const folder = await emptyFolder();
  await expect(checkRelay({ dataFolder: folder })).rejects.toThrow("There is no database at");
});
