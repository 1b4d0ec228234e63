import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DiskSoundStore } from "../../../../relay/storage/disk/disk-sound-store.ts";
import { RunningRelay } from "../../running-relay.ts";
import { temporaryFolder } from "../sqlite/open-sqlite.ts";
import { Site } from "../../../sim/faults/site.ts";
import { canMount } from "../../../sim/private-disk.ts";
import { soon } from "../../../sim/soon.ts";
import { manifestOf } from "../../../manifest-of.ts";

const WITHOUT_BALLAST = { SOUNDFERRY_BALLAST_BYTES: "0" };

test("[Z7] D2: a disk without room for a sound is full, also while the database still has room", async () => {
  await using folder = await temporaryFolder();
  const sounds = await DiskSoundStore.open(folder.path);
  let room = 0;
  sounds.room = async () => room;
  await using relay = await RunningRelay.start(
    { SOUNDFERRY_DATA: folder.path },
    { ports: { sounds } },
  );
  const { token } = await relay.paired();
  const ready = () => relay.call("GET", "/readyz");
  const announce = async () =>
    (await relay.call("POST", "/packages", { token, body: manifestOf(["a.wav"]) })).status;
  expect((await ready()).json).toMatchObject({ degraded: "full" });
  expect(await announce()).toBe(507);
  room = 1_000_000_000;
  await relay.sweep();
  await soon(async () => (await ready()).json.degraded).toBeUndefined();
  expect(await announce()).toBe(201);
});

/** Renames a computer, a change that needs hardly any room. */
async function renamed(site: Site): Promise<() => Promise<number>> {
  const { json } = await site.call("POST", "/importer/register", {
    body: { device_name: "Studio" },
  });
  const options = { token: json.importer_token, body: { device_name: "Stage" } };
  return async () => (await site.call("PATCH", "/importer/me", options)).status;
}

/** Changes the database where its disk is. */
async function execute({ disk, folder }: Site, sql: string): Promise<void> {
  const script = "new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec(process.argv[2])";
  await disk.run(process.execPath, "-e", script, join(folder, "disk/data/relay.sqlite"), sql);
}

describe.skipIf(!canMount())("on a small disk (needs a mount)", () => {
  test("[U6] a disk that fills up despite the reservation is 507, stores nothing partial, and recovers once it has room", async () => {
    await using site = await Site.open({ diskSize: "8m", settings: WITHOUT_BALLAST });
    const { app, disk } = site;
    const rename = await renamed(site);
    const announceNew = async (frames: number) => app.announce(await app.pack(["a.wav"], frames));
    const full = { status: 507, json: { code: "DISK_FULL" } };
    expect(await site.refusal(announceNew(50_000_000))).toMatchObject(full);
    const key = await app.pack(["a.wav"], 1_200_000);
    await app.announce(key);
    await disk.fillUp();
    expect(await site.refusal(app.upload(key, "a.wav"))).toMatchObject(full);
    expect((await app.status(key)).json.files).toEqual({ "a.wav": "missing" });
    expect(await site.filesIn("sounds")).toEqual([]);
    // The database file may still have some free space.
    expect([200, 507]).toContain(await rename());
    await disk.clear();
    await soon(() => site.refusal(app.upload(key, "a.wav"))).toMatchObject({ status: 200 });
    await app.commit(key);
    await announceNew(100);
    await site.expectAllIsWell();
  });

  test.each([
    [
      "while not even the ballast is enough, nothing can be saved, and expiry alone heals that",
      false,
    ],
    [
      "a relay that is killed and started again on a disk without any room heals by expiry alone",
      true,
    ],
  ])("[Z7] D2: %s", async (_, isKilled) => {
    await using site = await Site.open({ diskSize: "12m" });
    const rename = await renamed(site);
    await site.sendWaiting(1, ["large.wav"], 1_200_000);
    // The state that an upload leaves if it ends when nothing can be saved.
    const pending = `'pkg_1/snd_1', 'pending', ${Date.now() + 3_600_000}`;
    await execute(site, `INSERT INTO sound_keys (key, state, ends_at) VALUES (${pending})`);
    // The database's files may have some room of their own, and what sweeps merge or free is room again.
    let status = 200;
    for (let times = 0; status === 200; times += 1) {
      if (times % 500 === 0) await site.disk.fillUp();
      status = await rename();
    }
    expect(status).toBe(507);
    const usedUp = { status: 503, json: { code: "NOT_READY", reason: "full" } };
    await soon(() => site.ready()).toMatchObject(usedUp);
    if (isKilled) {
      await site.stop("SIGKILL");
      await site.start();
      // Merging the log may give the database some room of its own.
      const { status, json } = await site.ready();
      expect([status, json.degraded ?? json.reason]).toEqual([
        expect.toBeOneOf([200, 503]),
        "full",
      ]);
    }
    await site.passWait();
    await site.expectNoFileLeft();
    await soon(() => site.ready()).toMatchObject({ status: 200 });
    await site.disk.clear();
    await soon(() => site.ready()).toMatchObject({ status: 200, json: { notices: [] } });
    await site.sendWaiting(isKilled ? 1 : 40);
    await site.expectAllIsWell();
  });

  test("[Z7] D2: a stopped relay starts on a disk without any room, if sounds on it have expired", async () => {
    await using site = await Site.open({ diskSize: "12m", settings: WITHOUT_BALLAST });
    await site.sendWaiting(1, ["large.wav"], 2_000_000);
    await site.stop();
    await site.passWait();
    const now = Date.now() + 1_860_000;
    await execute(site, `INSERT OR REPLACE INTO upkeep (name, value) VALUES ('time', '${now}')`);
    await site.disk.fillUp();
    await site.start();
    await site.expectNoFileLeft();
    await site.sendWaiting(1);
    await site.disk.clear();
    await site.expectAllIsWell();
  });
});
