import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { StoreFullError } from "../../../../relay/domain/ports.ts";
import { budgetsOf } from "../../../../relay/budgets-of.ts";
import { Admission } from "../../../../relay/domain/admission/budgets.ts";
import { readRelaySettings } from "../../../../relay/settings.ts";
import { strangerAt } from "../../../../relay/domain/caller.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { createWith, withFaults } from "../faulty-ports.ts";
import { openUpload, tooEarly, WAV } from "./open-upload.ts";
import { systemDigest } from "../../../../relay/storage/system.ts";
import { recordOf, storedKeys, upload } from "../use-cases.ts";
import { manifestOf } from "../../../manifest-of.ts";

describe("an upload", () => {
  test("[U8] is stored whole, in pieces of any size, and answered with size and checksum", async () => {
    await using relay = await openUpload();
    const pieces = [WAV.subarray(0, 1), WAV.subarray(1, 60), WAV.subarray(60)].map((piece) =>
      Uint8Array.from(piece),
    );
    const { items } = manifestOf(["kick.wav"]);
    expect(await relay.put({ pieces, contentLength: WAV.byteLength })).toEqual({
      file: "kick.wav",
      bytes: WAV.byteLength,
      sha256: items[0]?.sha256,
    });
    const [key = ""] = await storedKeys(relay.cases);
    expect(key).toMatch(new RegExp(`^${relay.packageId}/snd_[\\w-]{22}$`));
    const { uploaded } = await recordOf(relay.cases, relay.packageId);
    expect([...uploaded]).toEqual([["kick.wav", key]]);
    const stored = await relay.cases.context.sounds.open(key, {
      start: 0,
      end: WAV.byteLength - 1,
    });
    expect(stored && (await buffer(stored))).toEqual(WAV);
  });

  test("[U2] whose announced length differs is refused before its body is read", async () => {
    await using relay = await openUpload();
    for (const contentLength of [WAV.byteLength - 1, WAV.byteLength + 1, 0]) {
      await expect(relay.put({ contentLength, pieces: [tooEarly] })).rejects.toMatchObject({
        code: "SIZE_DIFFERS",
        message: `kick.wav: received ${contentLength} bytes, expected ${WAV.byteLength}.`,
      });
    }
    expect(await storedKeys(relay.cases)).toEqual([]);
  });

  test("[U2] without a length is refused as soon as more came than was announced", async () => {
    await using relay = await openUpload();
    const pieces = [smallWav(), new Uint8Array(1), tooEarly];
    await expect(relay.put({ pieces })).rejects.toMatchObject({
      code: "SIZE_DIFFERS",
      message: `kick.wav: received ${WAV.byteLength + 1} bytes, expected ${WAV.byteLength}.`,
    });
    expect(await storedKeys(relay.cases)).toEqual([]);
  });

  test("[U12] whose hash gets lost is never stored unjudged", async () => {
    await using relay = await openUpload();
    const start = (sizeBytes: number) => ({ ...systemDigest.start(sizeBytes), isLost: true });
    Object.assign(relay.cases.context, { digest: { ...systemDigest, start } });
    await expect(relay.put()).rejects.toThrow(/hash of .+ was lost/);
    expect(await storedKeys(relay.cases)).toEqual([]);
  });

  test("[U3] that is too short, has another checksum or is no WAV is refused, and nothing is kept", async () => {
    await using relay = await openUpload();
    const differs = smallWav();
    differs[WAV.byteLength - 1] = 1;
    for (const [bytes, code] of [
      [WAV.subarray(0, -1), "SIZE_DIFFERS"],
      [differs, "CHECKSUM_DIFFERS"],
      [Buffer.alloc(WAV.byteLength, 1), "WAV_NOT_RIFF"],
    ] as const) {
      await expect(relay.put({ pieces: [Uint8Array.from(bytes)] })).rejects.toMatchObject({
        code,
        status: 422,
        message: expect.stringContaining("kick.wav"),
      });
      expect(await storedKeys(relay.cases)).toEqual([]);
    }
    const { uploaded } = await recordOf(relay.cases, relay.packageId);
    expect(uploaded.size).toBe(0);
  });

  test("[U4] that ends before its audio is refused although size and checksum are right", async () => {
    // RIFF, WAVE and a whole format chunk, and then nothing.
    const cut = smallWav().subarray(0, 36);
    await using relay = await openUpload({ "kick.wav": cut });
    await expect(relay.put({ pieces: [Uint8Array.from(cut)] })).rejects.toMatchObject({
      code: "WAV_NO_DATA",
    });
    expect(await storedKeys(relay.cases)).toEqual([]);
  });

  test("[U4] that is no WAV is refused at its first bytes", async () => {
    await using relay = await openUpload();
    const pieces = [new Uint8Array(20).fill(1), tooEarly];
    await expect(relay.put({ pieces })).rejects.toMatchObject({ code: "WAV_NOT_RIFF" });
  });

  test("[U5] that breaks off leaves nothing, and the next one may begin", async () => {
    await using relay = await openUpload();
    for (let round = 0; round < 5; round += 1) {
      const pieces = [Uint8Array.from(WAV.subarray(0, 50)), tooEarly];
      await expect(relay.put({ pieces })).rejects.toThrow("The body was read.");
    }
    expect(await storedKeys(relay.cases)).toEqual([]);
    await relay.put();
  });

  test("[U6] to a store without room leaves the package as it was", async () => {
    await using relay = await openUpload();
    const { cases, app, packageId } = relay;
    const finish = () => Promise.reject(new StoreFullError("No room."));
    const full = withFaults(cases, { sounds: { create: createWith(cases, () => ({ finish })) } });
    await expect(upload(full, app, packageId)).rejects.toMatchObject({ name: "StoreFullError" });
    expect(await storedKeys(relay.cases)).toEqual([]);
  });

  test("[U1] waits for the store before it takes the next piece", async () => {
    await using relay = await openUpload();
    const { cases, app, packageId } = relay;
    const order: string[] = [];
    const create = createWith(cases, (writer) => ({
      write: async (piece) => {
        order.push("writing");
        await writer.write(piece);
        await Promise.resolve();
        order.push("written");
      },
    }));
    const pieces = [0, 60].map((start) => async () => {
      order.push("asked");
      return Uint8Array.from(WAV.subarray(start, start === 0 ? 60 : WAV.byteLength));
    });
    await upload(withFaults(cases, { sounds: { create } }), app, packageId, { pieces });
    expect(order).toEqual(["asked", "writing", "written", "asked", "writing", "written"]);
  });
});

describe("uploads that run at once", () => {
  test("[L4] are so many for one app at most, each counted until it ends", () => {
    const usual = budgetsOf(readRelaySettings({ environment: {} }));
    const uploads = { perPairing: 2, perDevice: 9, perAddress: 9, all: 90 };
    const admission = new Admission({ ...usual, uploads });
    const enter = (pairingId = "one") =>
      admission.take("uploads", { ...strangerAt("192.0.2.1"), deviceId: "device", pairingId });
    const refused = expect.objectContaining({
      code: "UPLOADS_TOO_MANY",
      status: 429,
      message: "2 uploads are already running. Wait until one finishes.",
      extras: { retryAfterSeconds: 1 },
    });
    const [first, second] = [enter(), enter()];
    expect(() => enter()).toThrow(refused);
    enter("other");
    first[Symbol.dispose]();
    const third = enter();
    expect(() => enter()).toThrow(refused);
    second[Symbol.dispose]();
    third[Symbol.dispose]();
    enter();
    enter();
    expect(() => enter()).toThrow(refused);
  });

  test("[L7] end for others while their sender is silent, but not while the store is slow", async () => {
    await using relay = await openUpload();
    const { cases, app, packageId } = relay;
    const usual = budgetsOf(readRelaySettings({ environment: {} }));
    const uploads = { ...usual.uploads, all: 2 };
    let time = 0;
    const admission = new Admission({ ...usual, uploads }, { now: () => time });
    const storing = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    const create = createWith(cases, (writer) => ({
      write: async (piece) => {
        storing.resolve();
        await stored.promise;
        await writer.write(piece);
      },
    }));
    const faulty = withFaults(cases, { sounds: { create } });
    const slow = { ...faulty, context: { ...faulty.context, admission } };
    const honest = upload(slow, app, packageId);
    await storing.promise;
    time += 600_000;
    await expect(upload(slow, app, packageId)).rejects.toMatchObject({ code: "BUSY" });
    stored.resolve();
    await honest;

    const silent = Promise.withResolvers<Uint8Array>();
    const asked = Promise.withResolvers<void>();
    const piece = () => {
      asked.resolve();
      return silent.promise;
    };
    const standing = upload(slow, app, packageId, { pieces: [piece] });
    await asked.promise;
    time += 600_000;
    await upload(slow, app, packageId);
    silent.resolve(Uint8Array.from(WAV));
    await standing.catch(() => undefined);
    expect(admission.budget("uploads").shed).toBe(1);
  });

  test("[L4] do not count those that were refused before they began", async () => {
    await using relay = await openUpload();
    for (let round = 0; round < 5; round += 1) {
      await expect(relay.put({ contentLength: 1 })).rejects.toMatchObject({ code: "SIZE_DIFFERS" });
    }
    const enough = Promise.withResolvers<Uint8Array>();
    const begun = Promise.withResolvers<void>();
    let running = 0;
    const wait = () => {
      running += 1;
      if (running === 4) begun.resolve();
      return enough.promise.then((bytes) => Uint8Array.from(bytes));
    };
    const four = [1, 2, 3, 4].map(() => relay.put({ pieces: [wait] }));
    await begun.promise;
    await expect(relay.put()).rejects.toMatchObject({ code: "UPLOADS_TOO_MANY" });
    enough.resolve(WAV);
    await Promise.all(four);
    await relay.put();
  });
});
