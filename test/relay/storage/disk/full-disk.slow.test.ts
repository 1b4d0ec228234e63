import { describe, expect, test } from "vitest";
import { DiskSoundStore } from "../../../../relay/storage/disk/disk-sound-store.ts";
import { manifestOf, RunningRelay } from "../../running-relay.ts";
import { temporaryFolder } from "../sqlite/open-sqlite.ts";
import { canMount, runOnSmallDisk } from "./small-disk.ts";
import { soon } from "../../../sim/soon.ts";

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

describe.skipIf(!canMount())("on a small disk (needs a mount)", () => {
  test("[U6] a disk that fills up despite the reservation is 507, stores nothing partial, and recovers once it has room", async () => {
    const { tooLarge, full, after } = await runOnSmallDisk("full-disk-relay.ts", "8m");
    expect(tooLarge).toMatchObject({ status: 507, code: "DISK_FULL" });
    expect(full).toMatchObject({
      upload: { status: 507, code: "DISK_FULL" },
      files: { "a.wav": "missing" },
      keys: [],
    });
    // The database file may still have some free space.
    expect([200, 507]).toContain(full.rename.status);
    expect(after).toMatchObject({
      upload: { status: 200 },
      files: { "a.wav": "uploaded" },
      announce: { status: 201 },
    });
  });

  test.each(["while running", "before start"])(
    "[Z7] D2: a disk that is full %s heals: withdrawing, importing and expiry work, and sending once there is room",
    async (when) => {
      const { full, expired, after } = await runOnSmallDisk("full-disk-journey.ts", "12m", [when]);
      const refused = { status: 507, code: "DISK_FULL", retryAfter: "60" };
      expect(full).toMatchObject({
        withdraw: { status: 200 },
        take: { status: 200 },
        download: 200,
        report: { status: 200 },
        announce: refused,
        upload: refused,
        ready: { status: 200, degraded: "full", notices: [expect.stringContaining("disk")] },
      });
      expect(expired).toMatchObject({ status: "expired", keys: 0, ready: { status: 200 } });
      expect(after).toMatchObject({ ready: { status: 200, notices: [] }, sends: 50 });
      expect(after.ready.degraded).toBeUndefined();
    },
  );

  test("[Z7] D2: while not even the ballast is enough, nothing can be saved, and expiry alone heals that", async () => {
    const when = "with its ballast used up";
    const { usedUp, expired, after } = await runOnSmallDisk("full-disk-journey.ts", "12m", [when]);
    expect(usedUp).toMatchObject({ status: 503, code: "NOT_READY", reason: "full" });
    expect(expired).toMatchObject({ status: "expired", keys: 0, ready: { status: 200 } });
    expect(after).toMatchObject({ ready: { status: 200, notices: [] }, sends: 50 });
  });

  test("[Z7] D2: a relay that is killed and started again on a disk without any room heals by expiry alone", async () => {
    const { ready, healed } = await runOnSmallDisk("full-disk-restart.ts", "12m", ["fill", "heal"]);
    // Merging the log may give the database some room of its own.
    expect([200, 503]).toContain(ready.status);
    expect(ready.status === 200 ? ready.json.degraded : ready.json.reason).toBe("full");
    expect(healed).toMatchObject({ status: "expired", send: "waiting" });
  });

  test("[Z7] D2: a stopped relay starts on a disk without any room, if sounds on it have expired", async () => {
    const healed = await runOnSmallDisk("full-disk-stopped.ts", "12m", ["fill", "heal"]);
    expect(healed).toEqual({ status: "expired", send: "waiting" });
  });
});
