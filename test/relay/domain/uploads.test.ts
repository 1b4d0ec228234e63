import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { commitPackage } from "../../../relay/domain/commit-package.ts";
import { StoreFullError } from "../../../relay/domain/ports.ts";
import { RunningUploads } from "../../../relay/domain/running-uploads.ts";
import { withdraw } from "../../../relay/domain/withdraw-package.ts";
import { unpairToken } from "../../../relay/domain/unpair.ts";
import { HOUR, T0 } from "../../contract/records-under-test.ts";
import { smallWav } from "../../wav-bytes.ts";
import {
  announced,
  beforeNextWrite,
  manifestOf,
  openUseCases,
  pair,
  pairedApp,
  recordOf,
  register,
  storedKeys,
  upload,
} from "./use-cases.ts";

const WAV = smallWav();

async function open(files: Parameters<typeof manifestOf>[0] = { "kick.wav": WAV }) {
  const cases = await openUseCases();
  const app = await pairedApp(cases);
  const { package_id: packageId } = await announced(cases, app, manifestOf(files));
  return {
    cases,
    app,
    packageId,
    put: (options?: Parameters<typeof upload>[3]) => upload(cases, app, packageId, options),
    [Symbol.asyncDispose]: () => cases[Symbol.asyncDispose](),
  };
}

const tooEarly = async (): Promise<Uint8Array> => {
  throw new Error("The body was read.");
};

describe("an upload", () => {
  test("[U8] is stored whole, in pieces of any size, and answered with size and checksum", async () => {
    await using relay = await open();
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
    await using relay = await open();
    for (const contentLength of [WAV.byteLength - 1, WAV.byteLength + 1, 0]) {
      await expect(relay.put({ contentLength, pieces: [tooEarly] })).rejects.toMatchObject({
        code: "SIZE_DIFFERS",
        message: `kick.wav: received ${contentLength} bytes, expected ${WAV.byteLength}.`,
      });
    }
    expect(await storedKeys(relay.cases)).toEqual([]);
  });

  test("[U2] without a length is refused as soon as more came than was announced", async () => {
    await using relay = await open();
    const pieces = [smallWav(), new Uint8Array(1), tooEarly];
    await expect(relay.put({ pieces })).rejects.toMatchObject({
      code: "SIZE_DIFFERS",
      message: `kick.wav: received ${WAV.byteLength + 1} bytes, expected ${WAV.byteLength}.`,
    });
    expect(await storedKeys(relay.cases)).toEqual([]);
  });

  test("[U3] that is too short, has another checksum or is no WAV is refused, and nothing is kept", async () => {
    await using relay = await open();
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
    await using relay = await open({ "kick.wav": cut });
    await expect(relay.put({ pieces: [Uint8Array.from(cut)] })).rejects.toMatchObject({
      code: "WAV_NO_DATA",
    });
    expect(await storedKeys(relay.cases)).toEqual([]);
  });

  test("[U4] that is no WAV is refused at its first bytes", async () => {
    await using relay = await open();
    const pieces = [new Uint8Array(20).fill(1), tooEarly];
    await expect(relay.put({ pieces })).rejects.toMatchObject({ code: "WAV_NOT_RIFF" });
  });

  test("[U5] that breaks off leaves nothing, and the next one may begin", async () => {
    await using relay = await open();
    for (let round = 0; round < 5; round += 1) {
      const pieces = [Uint8Array.from(WAV.subarray(0, 50)), tooEarly];
      await expect(relay.put({ pieces })).rejects.toThrow("The body was read.");
    }
    expect(await storedKeys(relay.cases)).toEqual([]);
    await relay.put();
  });

  test("[U6] to a store without room leaves the package as it was", async () => {
    await using relay = await open();
    const { sounds } = relay.cases.context;
    const create = sounds.create.bind(sounds);
    sounds.create = async (key) => {
      const writer = await create(key);
      return { ...writer, finish: () => Promise.reject(new StoreFullError("No room.")) };
    };
    await expect(relay.put()).rejects.toMatchObject({ name: "StoreFullError" });
    expect(await storedKeys(relay.cases)).toEqual([]);
  });

  test("[U1] waits for the store before it takes the next piece", async () => {
    await using relay = await open();
    const { sounds } = relay.cases.context;
    const create = sounds.create.bind(sounds);
    const order: string[] = [];
    sounds.create = async (key) => {
      const writer = await create(key);
      return {
        ...writer,
        write: async (piece) => {
          order.push("writing");
          await writer.write(piece);
          await Promise.resolve();
          order.push("written");
        },
      };
    };
    const pieces = [0, 60].map((start) => async () => {
      order.push("asked");
      return Uint8Array.from(WAV.subarray(start, start === 0 ? 60 : WAV.byteLength));
    });
    await relay.put({ pieces });
    expect(order).toEqual(["asked", "writing", "written", "asked", "writing", "written"]);
  });
});

describe("a file", () => {
  test("[U3] that the package does not have, or a package that another app has, is 404", async () => {
    await using relay = await open();
    await expect(relay.put({ file: "snare.wav" })).rejects.toMatchObject({
      code: "FILE_UNKNOWN",
      message: "The package has no file snare.wav.",
    });
    const { deviceId } = await register(relay.cases);
    const stranger = await relay.cases.context.known.app(await pair(relay.cases, deviceId));
    await expect(upload(relay.cases, stranger, relay.packageId)).rejects.toMatchObject({
      code: "PACKAGE_UNKNOWN",
    });
  });

  test("[U3] sent again takes the place of the one before, which goes; a bad one changes nothing", async () => {
    await using relay = await open();
    await relay.put();
    const [first] = await storedKeys(relay.cases);
    const bad = relay.put({ pieces: [new Uint8Array(WAV.byteLength)] });
    await expect(bad).rejects.toMatchObject({ code: "WAV_NOT_RIFF" });
    expect(await storedKeys(relay.cases)).toEqual([first]);
    await relay.put();
    const after = await storedKeys(relay.cases);
    expect(after).toHaveLength(1);
    expect(after).not.toEqual([first]);
    const { uploaded } = await recordOf(relay.cases, relay.packageId);
    expect([...uploaded.values()]).toEqual(after);
  });

  test("[U3] of two sent at once, the one that ends last counts", async () => {
    await using relay = await open(["a.wav", "kick.wav"]);
    beforeNextWrite(relay.cases, "update", async () => {
      await relay.put();
      await relay.put({ file: "a.wav" });
    });
    await relay.put();
    const { uploaded } = await recordOf(relay.cases, relay.packageId);
    expect([...uploaded.keys()].sort()).toEqual(["a.wav", "kick.wav"]);
    expect([...uploaded.values()].sort()).toEqual(await storedKeys(relay.cases));
  });

  test("[U3] is refused before its body is read once the package waits or has expired", async () => {
    await using relay = await open();
    await relay.put();
    await commitPackage(relay.cases.context, relay.app, relay.packageId);
    await expect(relay.put({ pieces: [tooEarly] })).rejects.toMatchObject({
      code: "NOT_UPLOADING",
      status: 409,
    });
    await using late = await open();
    late.cases.clock.time = T0 + HOUR;
    await expect(late.put({ pieces: [tooEarly] })).rejects.toMatchObject({
      code: "PACKAGE_EXPIRED",
      status: 409,
    });
  });

  test.each([
    [
      "the package is withdrawn",
      "PACKAGE_UNKNOWN",
      ({ cases, app, packageId }: Opened) => withdraw(cases.context, app, packageId),
    ],
    [
      "the token is revoked",
      "TOKEN_UNKNOWN",
      ({ cases, app }: Opened) => unpairToken(cases.context, app),
    ],
    [
      "the package is committed",
      "NOT_UPLOADING",
      async ({ cases, app, packageId, put }: Opened) => {
        await put();
        await commitPackage(cases.context, app, packageId);
      },
    ],
    [
      "the package expires",
      "PACKAGE_EXPIRED",
      async ({ cases }: Opened) => {
        cases.clock.time = T0 + HOUR;
      },
    ],
  ])("[U3] is refused, and not kept, where %s while it is sent: %s", async (_, code, meanwhile) => {
    await using relay = await open();
    let kept: readonly string[] = [];
    const last = async () => {
      await meanwhile(relay);
      kept = (await storedKeys(relay.cases)).filter((key) => !key.endsWith(".part"));
      return Uint8Array.from(WAV.subarray(60));
    };
    const pieces = [Uint8Array.from(WAV.subarray(0, 60)), last];
    await expect(relay.put({ pieces })).rejects.toMatchObject({ code });
    expect(await storedKeys(relay.cases)).toEqual(kept);
  });
});

type Opened = Awaited<ReturnType<typeof open>>;

describe("uploads that run at once", () => {
  test("[L4] are so many for one computer at most, each counted until it ends", () => {
    const uploads = new RunningUploads(2);
    const [first, second] = [uploads.enter("device-1"), uploads.enter("device-1")];
    const refused = expect.objectContaining({
      code: "UPLOADS_TOO_MANY",
      status: 429,
      message: "2 uploads are already running. Wait until one finishes.",
      extras: { retryAfterSeconds: 1 },
    });
    const enter = () => uploads.enter("device-1");
    expect(enter).toThrow(refused);
    uploads.enter("device-2");
    first();
    const third = enter();
    expect(enter).toThrow(refused);
    second();
    third();
    enter();
    enter();
    expect(enter).toThrow(refused);
  });

  test("[L4] do not count those that were refused before they began", async () => {
    await using relay = await open();
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
