import { describe, expect, test } from "vitest";
import { commitPackage } from "../../../../relay/domain/packages/commit-package.ts";
import { unpairToken } from "../../../../relay/domain/pairing/unpair.ts";
import { withdraw } from "../../../../relay/domain/packages/withdraw-package.ts";
import { HOUR, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { openUpload, tooEarly, WAV } from "./open-upload.ts";
import { withFaults } from "../faulty-ports.ts";
import { beforeNextWrite, pair, recordOf, register, storedKeys, upload } from "../use-cases.ts";

type Opened = Awaited<ReturnType<typeof openUpload>>;

describe("a file", () => {
  test("[U3] that the package does not have, or a package that another app has, is 404", async () => {
    await using relay = await openUpload();
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
    await using relay = await openUpload();
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
    await using relay = await openUpload(["a.wav", "kick.wav"]);
    beforeNextWrite(relay.cases, "addFile", async () => {
      await relay.put();
      await relay.put({ file: "a.wav" });
    });
    await relay.put();
    const { uploaded } = await recordOf(relay.cases, relay.packageId);
    expect([...uploaded.keys()].sort()).toEqual(["a.wav", "kick.wav"]);
    expect([...uploaded.values()].sort()).toEqual(await storedKeys(relay.cases));
  });

  test("[AD5] that is denied at its last byte is refused with its sound's name, and nothing of it stays", async () => {
    await using relay = await openUpload();
    const denying = withFaults(relay.cases, {
      packages: { addFile: async () => ({ kind: "denied" }) },
    });
    await expect(upload(denying, relay.app, relay.packageId)).rejects.toMatchObject({
      code: "SOUND_DENIED",
      extras: { about: { sound: "1", file: "kick.wav", position: 1 } },
    });
    expect(await storedKeys(relay.cases)).toEqual([]);
  });

  test("[U3] is refused before its body is read once the package waits or has expired", async () => {
    await using relay = await openUpload();
    await relay.put();
    await commitPackage(relay.cases.context, relay.app, relay.packageId);
    await expect(relay.put({ pieces: [tooEarly] })).rejects.toMatchObject({
      code: "NOT_UPLOADING",
      status: 409,
    });
    await using late = await openUpload();
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
    await using relay = await openUpload();
    let kept: readonly string[] = [];
    const last = async () => {
      await meanwhile(relay);
      const record = await relay.cases.context.packages.find(relay.packageId);
      kept = [...(record?.uploaded.values() ?? [])];
      return Uint8Array.from(WAV.subarray(60));
    };
    const pieces = [Uint8Array.from(WAV.subarray(0, 60)), last];
    await expect(relay.put({ pieces })).rejects.toMatchObject({ code });
    expect(await storedKeys(relay.cases)).toEqual(kept);
  });
});
