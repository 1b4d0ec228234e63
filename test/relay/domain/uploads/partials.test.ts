import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { MemoryDisk, MemorySounds } from "../../../../docs/examples/stores/memory-sounds.ts";
import { endPending } from "../../../../relay/domain/upkeep/doomed-sounds.ts";
import { sweep } from "../../../../relay/domain/upkeep/sweep.ts";
import { unpairToken } from "../../../../relay/domain/pairing/unpair.ts";
import { withdraw } from "../../../../relay/domain/packages/withdraw-package.ts";
import { KEPT_JUDGES } from "../../../../core/quotas/budgets.ts";
import { Partials } from "../../../../relay/domain/uploads/partials.ts";
import { SoundJudge } from "../../../../relay/domain/uploads/sound-judge.ts";
import { systemDigest } from "../../../../relay/storage/system.ts";
import { HOUR, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { expectNothingLeft, openAppend, type Opened, replaceStored, SOUND } from "./open-append.ts";
import { soon } from "../../../sim/soon.ts";
import { announce, anotherProcess, doomedKeys, recordOf, storedKeys } from "../use-cases.ts";

const connectionLost = async (): Promise<Uint8Array> => {
  throw new Error("The sender is gone.");
};

describe("after a restart", () => {
  test("[U10] a file is continued, and judged by the bytes that are stored", async () => {
    await using relay = await openAppend();
    await relay.append(0, 600);
    const context = anotherProcess(relay.cases);
    expect(await relay.offset(context)).toMatchObject({ offset: 600, isComplete: false });
    expect(await relay.append(600, 700, { context })).toEqual({ offset: 700 });
    expect(await relay.append(700, 1000, { context })).toMatchObject({ offset: 1000 });
    expect(await relay.offset(context)).toMatchObject({ offset: 1000, isComplete: true });
    expect(await storedKeys(relay.cases)).toHaveLength(1);
  });

  test("[U10] bytes that the disk has lost or changed are found out, and the file starts again", async () => {
    await using relay = await openAppend();
    await relay.append(0, 600);
    const context = anotherProcess(relay.cases);
    await replaceStored(relay, Uint8Array.from(SOUND.subarray(0, 600)).fill(1, 300));
    const last = relay.append(600, 1000, { context });
    await expect(last).rejects.toMatchObject({ code: "CHECKSUM_DIFFERS" });
    expect(await relay.offset(context)).toMatchObject({ offset: 0 });
    await expectNothingLeft(relay);
  });

  test("[U10] a broken header is found out, too", async () => {
    const noise = Buffer.alloc(1000, 7);
    await using relay = await openAppend(noise);
    await expect(relay.append(0, 600)).rejects.toMatchObject({ code: "WAV_NOT_RIFF" });
    await relay.append(0, 2);
    const context = anotherProcess(relay.cases);
    await relay.append(2, 600, { context });
    const last = relay.append(600, 1000, { context });
    await expect(last).rejects.toMatchObject({ code: "WAV_NOT_RIFF" });
    await expectNothingLeft(relay);
  });

  test("[U10] a start keeps what came of files, but not what nobody can continue", async () => {
    await using relay = await openAppend();
    await relay.append(0, 600);
    const { context } = relay.cases;
    await context.soundKeys.addPending("pkg_x/snd_whole", T0 + HOUR);
    await endPending(context, Number.MAX_SAFE_INTEGER, T0);
    expect(await doomedKeys(relay.cases)).toEqual(["pkg_x/snd_whole"]);
    expect(await relay.offset()).toMatchObject({ offset: 600 });
  });

  test("[U10] a file that was stored whole needs no more bytes", async () => {
    await using relay = await openAppend();
    const { packages } = relay.cases.context;
    const addFile = packages.addFile.bind(packages);
    packages.addFile = () => Promise.reject(new Error("The relay was killed."));
    await expect(relay.append(0)).rejects.toThrow("killed");
    packages.addFile = addFile;
    const context = anotherProcess(relay.cases);
    await endPending(context, Number.MAX_SAFE_INTEGER, T0);
    expect(await relay.offset(context)).toMatchObject({ offset: 1000, isComplete: false });
    const answer = await relay.append(1000, 1000, { context, pieces: [] });
    expect(answer).toMatchObject({ offset: 1000, answer: { bytes: 1000 } });
    expect(await relay.offset(context)).toMatchObject({ isComplete: true });
  });

  test("[U10] a file whose bytes are gone starts again", async () => {
    await using relay = await openAppend();
    await relay.append(0, 600);
    await relay.cases.context.sounds.delete(await storedKeys(relay.cases));
    expect(await relay.offset()).toMatchObject({ offset: 0 });
    expect(await relay.append(0)).toMatchObject({ offset: 1000 });
    expect(await storedKeys(relay.cases)).toHaveLength(1);
  });
});

describe("what came of a file", () => {
  test("[U10] stays when its sender is gone", async () => {
    await using relay = await openAppend();
    const cut = relay.append(0, 1000, { pieces: [SOUND.slice(0, 500), connectionLost] });
    await expect(cut).rejects.toThrow("gone");
    expect(await relay.offset()).toMatchObject({ offset: 500 });
    expect(await relay.append(500)).toMatchObject({ offset: 1000 });
  });

  test("[U10] stays when there is no room for more", async () => {
    await using relay = await openAppend();
    const noRoom = async (): Promise<Uint8Array> => {
      relay.cases.clock.time += HOUR / 2;
      relay.cases.context.sounds.room = async () => 0;
      return SOUND.slice(500, 600);
    };
    const cut = relay.append(0, 1000, { pieces: [SOUND.slice(0, 500), noRoom] });
    await expect(cut).rejects.toMatchObject({ status: 507 });
    expect((await relay.offset()).offset).toBeGreaterThanOrEqual(500);
  });

  test.each([
    [
      "the package is withdrawn",
      ({ cases, app, packageId }: Opened) => withdraw(cases.context, app, packageId),
    ],
    ["the app is unpaired", ({ cases, app }: Opened) => unpairToken(cases.context, app)],
    [
      "the package expires",
      async ({ cases }: Opened) => {
        cases.clock.time = T0 + HOUR;
        await sweep(cases.context);
      },
    ],
    ["the file is sent whole", ({ put }: Opened) => put({ pieces: [Uint8Array.from(SOUND)] })],
  ])("[U10] goes once %s", async (_, end) => {
    await using relay = await openAppend();
    await relay.append(0, 600);
    const [part] = await storedKeys(relay.cases);
    await end(relay);
    // A call waits a second at most for the deletion.
    await soon(() => doomedKeys(relay.cases)).toEqual([]);
    expect(await storedKeys(relay.cases)).not.toContain(part);
  });

  test("[U10] goes while it is appended to, too", async () => {
    await using relay = await openAppend();
    const { cases, app, packageId } = relay;
    const withdrawn = async () => {
      await withdraw(cases.context, app, packageId);
      return SOUND.slice(500);
    };
    const cut = relay.append(0, 1000, { pieces: [SOUND.slice(0, 500), withdrawn] });
    await expect(cut).rejects.toThrow();
    await expectNothingLeft(relay);
  });

  test("[L4][U10] counts for its address as it comes, and only once", async () => {
    await using relay = await openAppend();
    Object.assign(relay.cases.context.policy, { bytesPerAddressPerDay: 2500 });
    const fits = async (address: string) =>
      announce(relay.cases, relay.app, undefined, { address }).then(
        () => true,
        () => false,
      );
    await relay.append(0, 600, { address: "192.0.2.7" });
    await relay.append(600, 1000, { address: "192.0.2.8" });
    for (const [address, bytes] of [
      ["192.0.2.7", 600],
      ["192.0.2.8", 400],
    ] as const) {
      Object.assign(relay.cases.context.policy, { bytesPerAddressPerDay: bytes + 243 });
      expect(await fits(address)).toBe(false);
      Object.assign(relay.cases.context.policy, { bytesPerAddressPerDay: bytes + 244 });
      expect(await fits(address)).toBe(true);
    }
  });
});

describe("a store that can't continue a sound", () => {
  test("[U10] has offset 0, and takes an append of the whole file", async () => {
    await using relay = await openAppend();
    const context = { ...relay.cases.context, sounds: new MemorySounds(new MemoryDisk()) };
    expect(await relay.offset(context)).toMatchObject({ offset: 0, isComplete: false });
    const elsewhere = relay.append(5, 1000, { context });
    await expect(elsewhere).rejects.toMatchObject({
      code: "UPLOAD_OFFSET_DIFFERS",
      extras: { headers: { "upload-offset": "0" } },
    });
    const part = relay.append(0, 600, { context });
    await expect(part).rejects.toMatchObject({ code: "SIZE_DIFFERS" });
    expect(await relay.append(0, 1000, { context })).toMatchObject({ offset: 1000 });
    expect(await relay.offset(context)).toMatchObject({ offset: 1000, isComplete: true });
  });
});

describe("one call at a time", () => {
  const FILE = { packageId: "pkg_1", file: "a.wav" };

  test("[U10] the newest waits for the one before, and those between never begin", async () => {
    const partials = new Partials();
    const order: string[] = [];
    const begun = Promise.withResolvers<void>();
    const first = partials.run(FILE, async (replaced) => {
      begun.resolve();
      await once(replaced, "abort");
      await new Promise(setImmediate);
      order.push("first");
    });
    await begun.promise;
    const second = partials.run(FILE, async () => void order.push("second"));
    const third = partials.run(FILE, async () => void order.push("third"));
    await expect(second).rejects.toMatchObject({ code: "UPLOAD_REPLACED" });
    await Promise.all([first, third, partials.run({ ...FILE, file: "b.wav" }, async () => {})]);
    expect(order).toEqual(["first", "third"]);
    await partials.end(FILE);
  });

  test("[U10] checksums of so many files are kept, the longest unused are forgotten", async () => {
    await using relay = await openAppend();
    const record = await recordOf(relay.cases, relay.packageId);
    const [announced] = record.manifest.items;
    if (announced === undefined) throw new Error("The package has a sound.");
    const partials = new Partials();
    const judge = () => new SoundJudge(systemDigest, announced);
    for (let index = 0; index <= KEPT_JUDGES; index += 1) partials.keepJudge(`${index}`, judge());
    expect(partials.takeJudge("0", 0)).toBeUndefined();
    expect(partials.takeJudge("1", 5)).toBeUndefined();
    expect(partials.takeJudge("2", 0)).toBeDefined();
    expect(partials.takeJudge("2", 0)).toBeUndefined();
  });
});

describe("a part's length", () => {
  test("[U2] is refused at once if the file would be longer, or would end too early", async () => {
    await using relay = await openAppend();
    const never = async (): Promise<Uint8Array> => expect.unreachable();
    const wrong = { code: "SIZE_DIFFERS" };
    for (const [end, contentLength] of [
      [1000, 1001],
      [1000, 999],
      [600, 1001],
    ] as const) {
      const part = relay.append(0, end, { contentLength, pieces: [never] });
      await expect(part).rejects.toMatchObject(wrong);
    }
    expect(await relay.append(0, 600, { contentLength: 600 })).toEqual({ offset: 600 });
    expect(await relay.append(600, 1000, { contentLength: 400 })).toMatchObject({ offset: 1000 });
  });

  test("[U10] is nothing in a last part that is sent again", async () => {
    await using relay = await openAppend();
    const { answer } = await relay.append(0);
    const again = (offset: number, pieces: readonly Uint8Array[], contentLength?: number) =>
      relay.append(offset, 1000, { pieces, ...(contentLength !== undefined && { contentLength }) });
    expect(await again(1000, [], 0)).toEqual({ offset: 1000, answer });
    expect(await again(1000, [])).toEqual({ offset: 1000, answer });
    const longer = {
      code: "SIZE_DIFFERS",
      message: expect.stringContaining("received 1005 bytes"),
    };
    await expect(again(1000, [SOUND.slice(0, 5)])).rejects.toMatchObject(longer);
    await expect(again(600, [])).rejects.toMatchObject({
      code: "UPLOAD_OFFSET_DIFFERS",
      extras: { headers: { "upload-complete": "?1", "upload-offset": "1000" } },
    });
  });
});
