import { expect, onTestFinished, test } from "vitest";
import { InstanceMismatch } from "../../../relay/domain/upkeep/instance-mismatch.ts";
import { openSource, openTarget } from "../../../relay/operating/moving/move-stores.ts";
import { checkRelay } from "../../../relay/operating/check.ts";
import { openActions } from "../../../relay/operating/administer.ts";
import { all } from "../../../relay/domain/upkeep/batches.ts";
import { openSounds, type StoreSettings } from "../../../relay/operating/open-operated.ts";
import { smallWav } from "../../wav-bytes.ts";
import { INTEROP, partHeaders } from "../http/partial-calls.ts";
import { RunningRelay } from "../running-relay.ts";
import { emptyFolder } from "./backed-up-relay.ts";
import { contentOf, Steps } from "./moved-relay.ts";
import { ageProcesses, emptyPlace, HALF, moveBetween, relayToMove } from "./moving-relay.ts";

async function start(environment: Record<string, string>): Promise<RunningRelay> {
  const hasOwnClock = "SOUNDFERRY_DATABASE_URL" in environment;
  const relay = await RunningRelay.start(environment, { hasOwnClock });
  onTestFinished(() => relay.stop());
  return relay;
}

/** A relay that has moved to PostgreSQL and S3, and an empty folder. */
async function movedThere() {
  const moved = await relayToMove();
  const place = await emptyPlace();
  await moveBetween({ dataFolder: moved.folder }, place.settings);
  return { ...moved, ...place, to: { dataFolder: await emptyFolder() } };
}

test("[SC21] there, back, there again and back, every row and every sound is the same", async () => {
  const { folder, settings, to } = await movedThere();
  const back = { devices: 3, packages: 5, sounds: 4, partials: 1, isNew: true };
  expect(await moveBetween(settings, to)).toMatchObject(back);
  const once = await contentOf(to.dataFolder);
  const before = await contentOf(folder);
  expect(once.sounds).toEqual(before.sounds);
  // The withdrawn package's key has stayed, to be deleted.
  expect({ ...once.rows, sound_keys: [] }).toEqual({ ...before.rows, sound_keys: [] });
  const again = await emptyPlace();
  await moveBetween(to, again.settings);
  const end = { dataFolder: await emptyFolder() };
  expect(await moveBetween(again.settings, end)).toMatchObject(back);
  expect(await contentOf(end.dataFolder)).toEqual(once);
  const checked = { mismatch: undefined, lost: [], unknown: [], unfinished: [], soundCount: 4 };
  expect(await checkRelay(end, {})).toMatchObject(checked);
});

test("[SC21] what happened on PostgreSQL is there after the move back, and files continue", async () => {
  const moved = await movedThere();
  const { environment, settings, to, token, other, begun, waiting } = moved;
  const scaled = await start(environment);
  const half = begun.upload["half.wav"] ?? "";
  const more = {
    token,
    body: smallWav().subarray(HALF, HALF + 7),
    headers: partHeaders(HALF, "?0"),
  };
  await scaled.call("PATCH", half, more);
  const late = await scaled.send(token, ["later.wav"]);
  await scaled.call("DELETE", "/importer/me", { token: other.importer.token });
  await scaled.stop();
  expect(await moveBetween(settings, to)).toMatchObject({ sounds: 4, partials: 1 });

  const relay = await start({ SOUNDFERRY_DATA: to.dataFolder });
  expect((await relay.status(token, late)).status).toBe("waiting");
  expect((await relay.status(token, waiting)).status).toBe("waiting");
  const failed = `/packages/${moved.failed}/status`;
  expect((await relay.call("GET", failed, { token: other.token })).status).toBe(401);
  const head = await relay.call("HEAD", half, { token, headers: INTEROP });
  expect(head.headers.get("upload-offset")).toBe(String(HALF + 7));
  const rest = { token, body: smallWav().subarray(HALF + 7), headers: partHeaders(HALF + 7, "?1") };
  expect((await relay.call("PATCH", half, rest)).status).toBeLessThan(300);
});

test("[SC22] a move back that is stopped at any step goes on, and ends the same", async () => {
  const { settings, to } = await movedThere();
  for (let last = 1; ; last += 4) {
    const steps = new Steps(last);
    if (await moveSome(steps, settings, to)) break;
  }
  expect(await moveBetween(settings, to)).toMatchObject({ isNew: false, sounds: 4 });
  const checked = { mismatch: undefined, lost: [], unknown: [], unfinished: [], soundCount: 4 };
  expect(await checkRelay(to, {})).toMatchObject(checked);
});

async function moveSome(steps: Steps, from: StoreSettings, to: StoreSettings): Promise<boolean> {
  await ageProcesses(from.databaseUrl ?? "");
  await using source = await openSource(from, "here");
  await using target = await openTarget(to, to.dataFolder);
  return await steps.move(source, target);
}

test("[SC22] no relay and no operator uses a database whose relay has moved, or that an interrupted move fills", async () => {
  const { environment, settings, to } = await movedThere();
  await moveSome(new Steps(3), settings, to);
  await expect(start(environment)).rejects.toThrow("is being moved to");
  await expect(start({ SOUNDFERRY_DATA: to.dataFolder })).rejects.toThrow(InstanceMismatch);
  await moveBetween(settings, to);
  await expect(start(environment)).rejects.toThrow("so this database isn't used any more");
  await expect(openActions(settings, { who: "anna" })).rejects.toThrow(InstanceMismatch);
  await start({ SOUNDFERRY_DATA: to.dataFolder });
});

test("[SC23] a relay that still runs on PostgreSQL is refused, and nothing is changed", async () => {
  const { environment, settings, to } = await movedThere();
  const relay = await start(environment);
  const beat = () => void ageProcesses(settings.databaseUrl, 0);
  await expect(moveBetween(settings, to, { onWait: beat })).rejects.toThrow("Stop it first.");
  await relay.stop();
  await start(environment);
});

test("[SC23] a sound that the bucket has lost stops the move back, and with --repair its app can send it again", async () => {
  const { settings, to, token, waiting } = await movedThere();
  {
    await using sounds = await openSounds(settings);
    const keys = (await all(sounds.list())).map(({ key }) => key);
    await sounds.delete(keys.filter((key) => key.startsWith(waiting)).slice(0, 1));
  }
  await expect(moveBetween(settings, to)).rejects.toThrow("Nothing was moved.");
  expect(await moveBetween(settings, to, { isRepairing: true })).toMatchObject({ sounds: 3 });
  const relay = await start({ SOUNDFERRY_DATA: to.dataFolder });
  const { files } = await relay.status(token, waiting);
  expect(Object.values(files).toSorted()).toEqual(["missing", "uploaded"]);
});

test("[SC21] a relay with its sounds on the disk moves to another folder", async () => {
  const { settings, to } = await movedThere();
  await moveBetween(settings, to);
  const { databaseUrl } = (await emptyPlace()).settings;
  const mixed = { dataFolder: await emptyFolder(), databaseUrl };
  await moveBetween(to, mixed);
  const end = { dataFolder: await emptyFolder() };
  const { sounds } = await contentOf(to.dataFolder);
  expect(await moveBetween(mixed, end)).toMatchObject({ sounds: 4, partials: 1 });
  expect((await contentOf(end.dataFolder)).sounds).toEqual(sounds);
});
