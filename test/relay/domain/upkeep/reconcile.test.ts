import { expect, test } from "vitest";
import {
  findLost,
  findLostFiles,
  findMisplacedSounds,
  findUnknownSounds,
  markLost,
} from "../../../../relay/domain/upkeep/reconcile.ts";
import type { Context } from "../../../../relay/domain/context.ts";
import {
  quarantines,
  type QuarantiningSoundStore,
  type StoreUpkeep,
} from "../../../../relay/domain/ports.ts";
import {
  announced,
  doomedKeys,
  openUseCases,
  pairedApp,
  recordOf,
  send,
  upload,
} from "../use-cases.ts";
import { gather, storeSound } from "../../storage/disk/stored-sounds.ts";
import { withFaults } from "../faulty-ports.ts";
import { waitingPackage } from "../packages/waiting-package.ts";

function upkeepOf({ upkeep }: Context): StoreUpkeep {
  if (upkeep === undefined) throw new Error("SQLite has the ability.");
  return upkeep;
}

function quarantiningSounds({ sounds }: Context): QuarantiningSoundStore {
  if (!quarantines(sounds)) throw new Error("The disk has a quarantine.");
  return sounds;
}

async function lostFiles(context: Context) {
  const found = [];
  for await (const { packageId, files } of findLostFiles({ ...context, upkeep: upkeepOf(context) }))
    found.push({ packageId, files: [...files.keys()] });
  return found;
}

test("[Z9] finds the files whose bytes are gone, by package, and nothing else", async () => {
  await using cases = await openUseCases();
  const { context } = cases;
  const app = await pairedApp(cases);
  const whole = await send(cases, app, ["kick.wav"]);
  const broken = await send(cases, app, ["bass.wav", "hat.wav", "snare.wav"]);
  expect(await lostFiles(context)).toEqual([]);
  const { uploaded } = await recordOf(cases, broken);
  await context.sounds.delete([uploaded.get("bass.wav") ?? "", uploaded.get("snare.wav") ?? ""]);
  expect(await lostFiles(context)).toEqual([
    { packageId: broken, files: ["bass.wav", "snare.wav"] },
  ]);
  const record = await recordOf(cases, whole);
  await context.packages.update({ ...record, filesDeleted: true });
  await context.sounds.delete([...record.uploaded.values()]);
  expect(await lostFiles(context)).toHaveLength(1);
});

test("[Z9] a file that is replaced while it looks is not lost", async () => {
  await using cases = await openUseCases();
  const { context } = cases;
  const app = await pairedApp(cases);
  const { package_id: packageId } = await announced(cases, app);
  await upload(cases, app, packageId);
  const { uploaded } = await recordOf(cases, packageId);
  const sizes = async () => {
    await upload(cases, app, packageId);
    return new Map<string, number>();
  };
  const sounds = Object.assign(Object.create(context.sounds), { sizes });
  expect(await lostFiles({ ...context, sounds })).toEqual([]);
  const replaced = (await recordOf(cases, packageId)).uploaded;
  expect([...replaced.keys()]).toEqual(["kick.wav"]);
  expect(replaced).not.toEqual(uploaded);
});

test("[Z9] lists all packages page by page", async () => {
  await using cases = await openUseCases();
  const app = await pairedApp(cases);
  const sent = [];
  for (let count = 0; count < 5; count += 1) sent.push(await send(cases, app));
  const upkeep = upkeepOf(cases.context);
  const first = await upkeep.listWithFiles({ limit: 3 });
  const rest = await upkeep.listWithFiles({ after: first.at(-1)?.packageId, limit: 3 });
  expect([...first, ...rest].map(({ packageId }) => packageId)).toEqual(sent.toSorted());
});

test("[Z9] a lost file leaves its package: the status says missing, and its key is forgotten", async () => {
  await using own = await waitingPackage(["bass.wav", "kick.wav"]);
  const { context, cases, packageId } = own;
  const { uploaded } = await recordOf(cases, packageId);
  const lost = new Map([["kick.wav", uploaded.get("kick.wav") ?? ""]]);
  await context.sounds.delete([...lost.values()]);
  await markLost(context, { packageId, files: lost }, 5);
  expect((await own.status()).files).toEqual({ "bass.wav": "uploaded", "kick.wav": "missing" });
  expect(await doomedKeys(cases)).toEqual([]);
  expect(await lostFiles(context)).toEqual([]);
  const { version } = await recordOf(cases, packageId);
  await markLost(context, { packageId, files: lost }, 5);
  expect((await recordOf(cases, packageId)).version).toBe(version);
});

test("[Z9] a package that is gone, or whose files are deleted, loses nothing more", async () => {
  await using own = await waitingPackage();
  const { context, cases, packageId } = own;
  const record = await recordOf(cases, packageId);
  const { uploaded: files } = record;
  await markLost(context, { packageId: "pkg_gone", files }, 5);
  await context.packages.update({ ...record, filesDeleted: true });
  const before = await recordOf(cases, packageId);
  await markLost(context, { packageId, files }, 5);
  expect(await recordOf(cases, packageId)).toEqual(before);
});

test("[Z9] where sounds have no quarantine, those that are not there are lost", async () => {
  await using own = await waitingPackage(["bass.wav", "kick.wav"]);
  const { cases, packageId } = own;
  // It hides every ability of the store.
  const { context } = withFaults(cases, {});
  const { uploaded } = await recordOf(cases, packageId);
  const [lost = "", kept = ""] = uploaded.values();
  const announced = await context.sounds.sizes([lost, kept]);
  await context.sounds.delete([lost]);
  expect(await findLost(context.sounds, announced)).toEqual([lost]);
  expect(await lostFiles(context)).toEqual([{ packageId, files: ["bass.wav"] }]);
  await markLost(context, { packageId, files: new Map([["bass.wav", lost]]) }, 5);
  expect((await own.status()).files).toEqual({ "bass.wav": "missing", "kick.wav": "uploaded" });
});

test("[Z9] finds the sounds in the quarantine that a record knows, and no other", async () => {
  await using cases = await openUseCases();
  const { context } = cases;
  const sounds = quarantiningSounds(context);
  const packageId = await send(cases, await pairedApp(cases), ["bass.wav", "kick.wav"]);
  const { uploaded } = await recordOf(cases, packageId);
  const known = uploaded.get("kick.wav") ?? "";
  await storeSound(sounds, "pkg_u/snd_unknown");
  await sounds.quarantine([known, "pkg_u/snd_unknown"], 5);
  const found = await gather(findMisplacedSounds({ upkeep: upkeepOf(context), sounds }));
  expect(found.map(({ key }) => key)).toEqual([known]);
});

test("[Z9] finds the sounds that no record knows, and not those that are being uploaded", async () => {
  await using cases = await openUseCases();
  const { context } = cases;
  const app = await pairedApp(cases);
  const packageId = await send(cases, app);
  const known = [...(await recordOf(cases, packageId)).uploaded.values()];
  await context.soundKeys.addPending("pkg_p/snd_pending", 1);
  const keys = [...known, "pkg_p/snd_pending", "pkg_u/snd_unknown", "pkg_d/snd_deleted"];
  const sizes = async (asked: readonly string[]) =>
    new Map(asked.filter((key) => key !== "pkg_d/snd_deleted").map((key) => [key, 1]));
  const list = async function* () {
    for (const key of keys) yield { key, bytes: 1, isFinished: true, changedAt: 0 };
  };
  const sounds: QuarantiningSoundStore = Object.assign(Object.create(context.sounds), {
    list,
    sizes,
  });
  const found = [];
  for await (const { key } of findUnknownSounds({ upkeep: upkeepOf(context), sounds }))
    found.push(key);
  expect(found).toEqual(["pkg_u/snd_unknown"]);
});
