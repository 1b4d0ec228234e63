import { describe, expect, test } from "vitest";
import { MAX_PACKAGE_BYTES } from "../../../../core/limits.ts";
import { CROWDED_SHARE } from "../../../../core/quotas/budgets.ts";
import { callingApp } from "../../../../relay/domain/caller.ts";
import { readPackagesLeft, readRoom } from "../../../../relay/domain/packages/room-left.ts";
import { roomQuotas } from "../../../../relay/domain/packages/room.ts";
import { withdraw } from "../../../../relay/domain/packages/withdraw-package.ts";
import { DAY, HOUR, MINUTE, T0 } from "../../../contracts/relay/records/sample-records.ts";
import {
  announce,
  announced,
  doomedKeys,
  openUseCases,
  pairedApp,
  proven,
  recordOf,
  send,
  sendBytes,
  storedKeys,
  upload,
  type UseCases,
  wavOf,
} from "../use-cases.ts";
import { manifestOf } from "../../../manifest-of.ts";
import { smallWav } from "../../../wav-bytes.ts";

const UNFINISHED = { code: "UPLOADS_UNFINISHED", status: 507 };

/** A manifest of one sound of that size, which nobody sends. */
function soundOf(bytes: number) {
  return { schema: "app2host/1", items: [{ file: "x.wav", bytes, sha256: "0".repeat(64) }] };
}

/** The times, in milliseconds from now on, at which uploads ask for room, and the bytes that they replace. */
function roomAsked({ context, clock }: UseCases): [afterMs: number, replacedBytes: number][] {
  const asked: [number, number][] = [];
  const start = clock.time;
  const holdRoom = context.packages.holdRoom.bind(context.packages);
  context.packages.holdRoom = async (packageId, request) => {
    asked.push([clock.time - start, request.replacedBytes]);
    return holdRoom(packageId, request);
  };
  return asked;
}

function limitRoom({ context }: UseCases, bytes: number): void {
  context.sounds.room = async () => bytes;
}

describe("announced bytes", () => {
  test("[U6] hold room for five minutes; then their upload asks for it again", async () => {
    await using cases = await openUseCases();
    const [first, second] = [await pairedApp(cases), proven(await pairedApp(cases))];
    limitRoom(cases, 1000);
    const { package_id: packageId } = await announced(cases, first, manifestOf(["kick.wav"]));
    cases.clock.time = T0 + 5 * MINUTE - 1;
    await expect(announce(cases, second, soundOf(707))).rejects.toMatchObject({
      ...UNFINISHED,
      message: "Unfinished uploads hold the room. Try again in 1 min.",
      extras: { retryAfterSeconds: 1 },
    });
    cases.clock.time = T0 + 5 * MINUTE;
    const rival = await announced(cases, second, soundOf(950));
    await expect(upload(cases, first, packageId)).rejects.toMatchObject({
      ...UNFINISHED,
      extras: { retryAfterSeconds: 300 },
    });
    expect([await storedKeys(cases), await doomedKeys(cases)]).toEqual([[], []]);
    await withdraw(cases.context, second, rival.package_id);
    expect(await upload(cases, first, packageId)).toMatchObject({ file: "kick.wav" });
  });

  test("[U6] are held on while bytes of their package arrive, and not by an upload that sends none", async () => {
    await using cases = await openUseCases();
    const [sender, rival] = [await pairedApp(cases), await pairedApp(cases)];
    limitRoom(cases, 1000);
    const wav = wavOf(500);
    const { package_id: packageId } = await announced(
      cases,
      sender,
      manifestOf({ "kick.wav": wav }),
    );
    const later = (part: Buffer) => async () => {
      cases.clock.time += 4 * MINUTE;
      await expect(announce(cases, rival, soundOf(500))).rejects.toMatchObject(UNFINISHED);
      return Uint8Array.from(part);
    };
    const parts = [0, 100, 200, 300, 400].map((at) => wav.subarray(at, at + 100));
    await upload(cases, sender, packageId, { pieces: parts.map(later) });
    await announce(cases, rival, soundOf(500));

    await using silent = await openUseCases();
    const app = await pairedApp(silent);
    const { package_id: unsent } = await announced(silent, app);
    silent.clock.time = T0 + 4 * MINUTE;
    await expect(upload(silent, app, unsent, { pieces: [] })).rejects.toThrow();
    expect((await recordOf(silent, unsent)).room?.until).toBe(T0 + 5 * MINUTE);
  });

  test.each([
    { roomHoldMs: 10 * MINUTE, pauseMs: MINUTE },
    { roomHoldMs: 50_000, pauseMs: 10_000 },
  ])(
    "[U6] are held on every $pauseMs ms while bytes arrive, with a hold of $roomHoldMs ms",
    async ({ roomHoldMs, pauseMs }) => {
      await using cases = await openUseCases({ roomHoldMs });
      const app = await pairedApp(cases);
      const wav = wavOf(1200);
      const manifest = manifestOf({ "kick.wav": wav });
      const { package_id: packageId } = await announced(cases, app, manifest);
      const asked = roomAsked(cases);
      const pieces = Array.from({ length: 12 }, (_, at) => async () => {
        cases.clock.time += pauseMs / 4;
        return Uint8Array.from(wav.subarray(at * 100, (at + 1) * 100));
      });
      await upload(cases, app, packageId, { pieces });
      expect(asked).toEqual([pauseMs, 2 * pauseMs, 3 * pauseMs].map((at) => [at, 0]));
    },
  );

  test("[U6] are asked for again where a clock that was ahead held them, or a file is replaced", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    cases.clock.time = T0 + 5 * MINUTE;
    const manifest = manifestOf(["a.wav", "b.wav"]);
    const { package_id: packageId } = await announced(cases, app, manifest);
    cases.clock.time = T0;
    const asked = roomAsked(cases);
    await upload(cases, app, packageId, { file: "a.wav" });
    expect(asked).toEqual([]);
    await upload(cases, app, packageId, { file: "a.wav" });
    expect(asked).toEqual([[0, smallWav().length]]);

    const { package_id: ahead } = await announced(cases, app, manifest);
    cases.clock.time = T0 - 5 * MINUTE - 1;
    await upload(cases, app, ahead, { file: "a.wav" });
    expect(asked).toHaveLength(2);
  });

  test("[U6] of the files that are left hold room for five minutes after the last byte", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    const { package_id: packageId } = await announced(cases, app, manifestOf(["a.wav", "b.wav"]));
    cases.clock.time = T0 + 4 * MINUTE;
    await upload(cases, app, packageId, { file: "a.wav" });
    expect((await recordOf(cases, packageId)).room?.until).toBe(T0 + 9 * MINUTE);
    await upload(cases, app, packageId, { file: "b.wav" });
    expect((await recordOf(cases, packageId)).room).toBeNull();
  });

  test("[U6][M9] that an announcement repeats hold no room again; their upload asks for it", async () => {
    await using cases = await openUseCases();
    const [app, rival] = [await pairedApp(cases), await pairedApp(cases)];
    limitRoom(cases, 1000);
    const ask = () => announce(cases, app, manifestOf(["kick.wav"]), { idempotencyKey: "k" });
    const { json } = await ask();
    cases.clock.time = T0 + 6 * MINUTE;
    expect(await ask()).toEqual({ json, replayed: true });
    const other = await announced(cases, rival, soundOf(700));
    const { package_id: packageId } = JSON.parse(json);
    await expect(upload(cases, app, packageId)).rejects.toMatchObject(UNFINISHED);
    await withdraw(cases.context, rival, other.package_id);
    await upload(cases, app, packageId);
  });
});

describe("room is shared", () => {
  test("[L2][U9] the relay is crowded from a share of the free room on; where nobody knows it, never", async () => {
    await using cases = await openUseCases({ minFreeBytes: 1000 });
    const caller = callingApp(await pairedApp(cases), "192.0.2.1");
    const quotas = async () => roomQuotas(cases.context, caller, { isResumed: true });
    limitRoom(cases, 11_000);
    expect(await quotas()).toMatchObject({ uncrowdedBytes: 10_000 * CROWDED_SHARE });
    const { bytesPerDevice } = cases.context.policy;
    cases.context.sounds.room = async () => "unknown";
    const unknown = { uncrowdedBytes: Infinity, roomBytes: "unknown", bytesPerDevice };
    expect(await quotas()).toMatchObject(unknown);
  });

  test("[U9] a device reserves two largest packages, an address four", async () => {
    await using cases = await openUseCases();
    limitRoom(cases, 100 * MAX_PACKAGE_BYTES);
    const largest = soundOf(MAX_PACKAGE_BYTES);
    const apps = [await pairedApp(cases), await pairedApp(cases), await pairedApp(cases)] as const;
    for (const app of apps.slice(0, 2)) {
      for (let times = 0; times < 2; times += 1) await announce(cases, app, largest);
      await expect(announce(cases, app, soundOf(1))).rejects.toMatchObject(UNFINISHED);
    }
    await expect(announce(cases, apps[2], soundOf(1))).rejects.toMatchObject(UNFINISHED);
    await announce(cases, apps[2], soundOf(1), { address: "192.0.2.2" });
  });

  test("[U9] strangers reserve three quarters of it, announcements not the last twentieth", async () => {
    await using cases = await openUseCases();
    const stranger = await pairedApp(cases);
    const known = proven(await pairedApp(cases));
    const { package_id: lapsed } = await announced(
      cases,
      known,
      manifestOf({ "kick.wav": wavOf(500) }),
    );
    cases.clock.time = T0 + 10 * MINUTE;
    limitRoom(cases, 10_000);
    await announce(cases, stranger, soundOf(7125));
    await expect(announce(cases, stranger, soundOf(1))).rejects.toMatchObject(UNFINISHED);
    await announce(cases, known, soundOf(2375));
    await expect(announce(cases, known, soundOf(1))).rejects.toMatchObject(UNFINISHED);
    await upload(cases, known, lapsed, { pieces: [wavOf(500)] });
  });

  test("[L4][U6] bytes count for the address that sends them, though another announced them", async () => {
    await using cases = await openUseCases({ bytesPerAddressPerDay: 1000 });
    const app = await pairedApp(cases);
    const [here, there] = ["192.0.2.1", "198.51.100.1"];
    const tooMuch = { code: "ADDRESS_BYTES_TOO_MANY", status: 429 };
    const pieces = [wavOf(600)];
    await sendBytes(cases, app, 600, there);
    const manifest = manifestOf({ "kick.wav": wavOf(600) });
    const { package_id: packageId } = await announced(cases, app, manifest, { address: here });
    const elsewhere = upload(cases, app, packageId, { address: there, pieces });
    await expect(elsewhere).rejects.toMatchObject(tooMuch);
    await upload(cases, app, packageId, { address: here, pieces });
    // Sent again, it counts again.
    const again = upload(cases, app, packageId, { address: here, pieces });
    await expect(again).rejects.toMatchObject(tooMuch);
  });
});

test("[A4] tells what an announcement has room for now, as it would be judged", async () => {
  await using cases = await openUseCases({ waitingPerDevice: 1 });
  const { context } = cases;
  const app = await pairedApp(cases);
  const caller = callingApp(app, "192.0.2.1");
  context.sounds.room = async () => 10_000;
  // A quarter is the proven's, and a twentieth of the rest is for uploads that go on.
  expect(await readRoom(context, app, caller)).toEqual({
    bytes_left: 7125,
    waiting_left: 1,
    package_bytes_max: MAX_PACKAGE_BYTES,
  });
  await announced(cases, app, manifestOf({ "kick.wav": wavOf(1000) }));
  expect(await readRoom(context, app, caller)).toMatchObject({ bytes_left: 6125 });
  await send(cases, app);
  expect(await readRoom(context, app, caller)).toMatchObject({ waiting_left: 0 });
  const fewer = { ...context, policy: { ...context.policy, waitingPerDevice: 0 } };
  expect(await readRoom(fewer, app, caller)).toMatchObject({ waiting_left: 0 });
});

test("[L1] tells how many packages are left in this hour, and when there are more", async () => {
  await using cases = await openUseCases({ packagesPerHour: 2 });
  const { context, clock } = cases;
  const app = await pairedApp(cases);
  const left = (max = 2) => {
    const policy = { ...context.policy, packagesPerHour: max };
    return readPackagesLeft({ ...context, policy }, app);
  };
  expect(await left()).toEqual({ max: 2, remaining: 2, seconds: 0 });
  await announced(cases, app);
  clock.time += 10 * MINUTE;
  await announced(cases, app);
  expect(await left(3)).toEqual({ max: 3, remaining: 1, seconds: 0 });
  expect(await left()).toEqual({ max: 2, remaining: 0, seconds: 3000 });
  expect(await left(1)).toEqual({ max: 1, remaining: 0, seconds: 3000 });
  clock.time += HOUR - 10 * MINUTE;
  expect(await left()).toEqual({ max: 2, remaining: 1, seconds: 0 });
  clock.time += DAY;
  expect(await left(0)).toEqual({ max: 0, remaining: 0, seconds: 1 });
});
