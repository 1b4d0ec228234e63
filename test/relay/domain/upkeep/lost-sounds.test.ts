import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { HOUR_MS } from "../../../../relay/domain/context.ts";
import { commitPackage } from "../../../../relay/domain/packages/commit-package.ts";
import { findDownload } from "../../../../relay/domain/packages/find-download.ts";
import { quarantines, StoreLostError } from "../../../../relay/domain/ports.ts";
import { readStatus } from "../../../../relay/domain/packages/read-status.ts";
import { sweep } from "../../../../relay/domain/upkeep/sweep.ts";
import { gather } from "../../../contracts/relay/sounds/sounds-case.ts";
import { openUpload } from "../uploads/open-upload.ts";
import { recordOf, upload, type UseCases } from "../use-cases.ts";
import { waitingPackage } from "../packages/waiting-package.ts";
import { manifestOf } from "../../../manifest-of.ts";

const FILES = ["a.wav", "b.wav", "c.wav"];

/** Deletes a file's bytes behind the relay's back. */
async function lose(cases: UseCases, packageId: string, file: string): Promise<void> {
  await cases.context.sounds.delete([await keyOf(cases, packageId, file)]);
}

async function keyOf(cases: UseCases, packageId: string, file: string): Promise<string> {
  const key = (await recordOf(cases, packageId)).uploaded.get(file);
  if (key === undefined) throw new Error(`${file} is uploaded.`);
  return key;
}

/** Changes the size of a finished sound behind the relay's back. */
async function resize(cases: UseCases, key: string, bytes: number): Promise<void> {
  const { sounds } = cases.context;
  await sounds.delete([key]);
  const writer = await sounds.create(key, { bytes, sha256: "" });
  await writer.write(new Uint8Array(bytes));
  await writer.finish();
}

/** The store as others must have left it: in the quarantine is what no record knew. */
function quarantine(cases: UseCases) {
  const { sounds } = cases.context;
  if (!quarantines(sounds)) throw new Error("The store has a quarantine.");
  return sounds;
}

describe.concurrent("a commit", () => {
  test("[Z2][S1] D5: of files whose bytes are lost is 409, and they can be uploaded again", async ({
    expect,
  }) => {
    await using relay = await openUpload(manifestOf(FILES).items.map(({ file }) => file));
    const { cases, app, packageId } = relay;
    for (const file of FILES) await relay.put({ file });
    await lose(cases, packageId, "b.wav");
    const commit = () => commitPackage(cases.context, app, packageId);
    await expect(commit()).rejects.toMatchObject({
      code: "FILES_MISSING",
      extras: { body: { missing: ["b.wav"] } },
    });
    const status = JSON.parse(await readStatus(cases.context, app, packageId));
    expect(status).toMatchObject({
      status: "uploading",
      files: { "a.wav": "uploaded", "b.wav": "missing", "c.wav": "uploaded" },
    });
    await relay.put({ file: "b.wav" });
    expect((await commit()).life.committedAt).not.toBeNull();
  });

  test.for([0, 60, 10_000])(
    "[Z2][S1] D5: of a file that has %i bytes now is 409, and keeps those in the quarantine",
    async (bytes, { expect }) => {
      await using relay = await openUpload();
      await relay.put();
      const { cases, app, packageId } = relay;
      const key = await keyOf(cases, packageId, "kick.wav");
      await resize(cases, key, bytes);
      const commit = () => commitPackage(cases.context, app, packageId);
      await expect(commit()).rejects.toMatchObject({ code: "FILES_MISSING" });
      const aside = await gather(quarantine(cases).listQuarantined());
      expect(aside).toMatchObject([{ key, bytes }]);
      await relay.put();
      expect((await commit()).life.committedAt).not.toBeNull();
    },
  );

  test("[Z2][S1] again on a package that waits changes nothing, whatever is lost", async ({
    expect,
  }) => {
    await using relay = await waitingPackage(FILES);
    await lose(relay.cases, relay.packageId, "a.wav");
    const before = await recordOf(relay.cases, relay.packageId);
    await commitPackage(relay.context, relay.app, relay.packageId);
    expect(await recordOf(relay.cases, relay.packageId)).toEqual(before);
  });

  test("[Z2] finds again what the quarantine has", async ({ expect }) => {
    await using relay = await openUpload();
    await relay.put();
    const key = await keyOf(relay.cases, relay.packageId, "kick.wav");
    await quarantine(relay.cases).quarantine([key], 5);
    await commitPackage(relay.cases.context, relay.app, relay.packageId);
    expect((await relay.cases.context.sounds.sizes([key])).has(key)).toBe(true);
  });

  test("[Z2] where the whole folder is another one loses nothing", async ({ expect }) => {
    await using relay = await openUpload();
    await relay.put();
    await lose(relay.cases, relay.packageId, "kick.wav");
    const context = { ...relay.cases.context, instanceId: "ins_1" };
    await expect(commitPackage(context, relay.app, relay.packageId)).rejects.toBeInstanceOf(
      StoreLostError,
    );
    expect((await recordOf(relay.cases, relay.packageId)).uploaded.size).toBe(1);
  });
});

describe.concurrent("a download", () => {
  const download = async (relay: Awaited<ReturnType<typeof waitingPackage>>, file: string) => {
    const { read } = await findDownload(relay.context, relay.app.deviceId, relay.packageId, file);
    return (await buffer(await read({ start: 0, end: 3 }))).toString();
  };

  test("[Z2] D5: of lost bytes is 404 SOUND_LOST, says so in the status, and the others are served", async ({
    expect,
  }) => {
    await using relay = await waitingPackage(FILES);
    const key = await keyOf(relay.cases, relay.packageId, "b.wav");
    await lose(relay.cases, relay.packageId, "b.wav");
    await expect(download(relay, "b.wav")).rejects.toMatchObject({
      code: "SOUND_LOST",
      status: 404,
      cause: { message: expect.stringContaining(key) },
    });
    expect(await relay.status()).toMatchObject({
      status: "waiting",
      files: { "a.wav": "uploaded", "b.wav": "missing", "c.wav": "uploaded" },
    });
    await expect(download(relay, "b.wav")).rejects.toMatchObject({ code: "SOUND_LOST" });
    for (const file of ["a.wav", "c.wav"]) expect(await download(relay, file)).toBe("RIFF");
  });

  test("[Z2] D5: of a file that was cut off is 404 SOUND_LOST, and the status says so", async ({
    expect,
  }) => {
    await using relay = await waitingPackage(["a.wav", "b.wav"]);
    await resize(relay.cases, await keyOf(relay.cases, relay.packageId, "b.wav"), 3);
    await expect(download(relay, "b.wav")).rejects.toMatchObject({ code: "SOUND_LOST" });
    expect((await relay.status()).files).toEqual({ "a.wav": "uploaded", "b.wav": "missing" });
    expect(await download(relay, "a.wav")).toBe("RIFF");
  });

  test("[Z2] of what the store has and can't open ends", async ({ expect }) => {
    await using relay = await waitingPackage();
    relay.context.sounds.open = async () => undefined;
    await expect(download(relay, "kick.wav")).rejects.toMatchObject({ code: "SOUND_LOST" });
    expect((await recordOf(relay.cases, relay.packageId)).uploaded.size).toBe(1);
  });

  test("[Z2] finds what the quarantine has", async ({ expect }) => {
    await using relay = await waitingPackage(FILES);
    const key = await keyOf(relay.cases, relay.packageId, "a.wav");
    await quarantine(relay.cases).quarantine([key], 5);
    expect(await download(relay, "a.wav")).toBe("RIFF");
  });

  test("[Z2] loses nothing where the store only fails", async ({ expect }) => {
    await using relay = await waitingPackage();
    await lose(relay.cases, relay.packageId, "kick.wav");
    quarantine(relay.cases).sizes = () => Promise.reject(new Error("EIO"));
    await expect(download(relay, "kick.wav")).rejects.toThrow("EIO");
    expect((await recordOf(relay.cases, relay.packageId)).uploaded.size).toBe(1);
  });
});

describe.concurrent("a package that waits", () => {
  test("[Z2] takes a lost file again, long after its upload window, and no other", async ({
    expect,
  }) => {
    await using relay = await waitingPackage(FILES);
    const { cases, context, app, packageId } = relay;
    const send = (file: string) => upload(cases, app, packageId, { file });
    await expect(send("b.wav")).rejects.toMatchObject({ code: "NOT_UPLOADING" });
    await lose(cases, packageId, "b.wav");
    const { read } = await findDownload(context, app.deviceId, packageId, "b.wav");
    await expect(read({ start: 0, end: 3 })).rejects.toMatchObject({ code: "SOUND_LOST" });
    cases.clock.time += 20 * HOUR_MS;
    await sweep(context);
    const before = await relay.status();
    expect(before.files["b.wav"]).toBe("missing");
    await expect(send("a.wav")).rejects.toMatchObject({ code: "NOT_UPLOADING" });
    expect(await send("b.wav")).toMatchObject({ file: "b.wav" });
    await sweep(context);
    const files = { ...before.files, "b.wav": "uploaded" };
    expect(await relay.status()).toEqual({ ...before, files });
    const again = await findDownload(context, app.deviceId, packageId, "b.wav");
    expect((await buffer(await again.read({ start: 0, end: 3 }))).toString()).toBe("RIFF");
    await expect(send("b.wav")).rejects.toMatchObject({ code: "NOT_UPLOADING" });
  });

  test("[Z2] takes no lost file any more once it expired or was reported", async ({ expect }) => {
    await using relay = await waitingPackage(FILES);
    const { cases, context, app, packageId } = relay;
    const record = await recordOf(cases, packageId);
    await context.packages.update({ ...record, uploaded: new Map() });
    await relay.report({});
    await expect(upload(cases, app, packageId, { file: "a.wav" })).rejects.toMatchObject({
      code: "NOT_UPLOADING",
    });
    cases.clock.time += 24 * HOUR_MS;
    await expect(upload(cases, app, packageId, { file: "a.wav" })).rejects.toMatchObject({
      status: 409,
    });
  });
});

test("[Z2] a lost file whose bytes come back isn't deleted for that", async () => {
  await using relay = await openUpload();
  await relay.put();
  const { cases, packageId } = relay;
  const key = await keyOf(cases, packageId, "kick.wav");
  await lose(cases, packageId, "kick.wav");
  await expect(commitPackage(cases.context, relay.app, packageId)).rejects.toThrow("Missing");
  const writer = await cases.context.sounds.create(key, { bytes: 0, sha256: "" });
  await writer.finish();
  await sweep(cases.context);
  expect((await cases.context.sounds.sizes([key])).has(key)).toBe(true);
});
