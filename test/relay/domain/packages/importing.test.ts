import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { commitPackage } from "../../../../relay/domain/packages/commit-package.ts";
import { findDownload } from "../../../../relay/domain/packages/find-download.ts";
import { findImportable } from "../../../../relay/domain/packages/list-importable.ts";
import { sweep } from "../../../../relay/domain/upkeep/sweep.ts";
import { DAY, MINUTE, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { listAll } from "./list-all.ts";
import { announced, register, upload } from "../use-cases.ts";
import { waitingPackage } from "./waiting-package.ts";
import { manifestOf } from "../../../manifest-of.ts";

const MIB = 1024 * 1024;
const LEASE = 5 * MINUTE;

describe("the importer's list", () => {
  test("[I1] gives for each package what the importer needs, newest first", async () => {
    await using relay = await waitingPackage(["My Kick.wav", "b.wav"]);
    const { cases, context, app, packageId } = relay;
    cases.clock.time = T0 + 1500;
    const { package_id: second } = await announced(cases, app);
    await upload(cases, app, second);
    cases.clock.time = T0 + 2500;
    await commitPackage(context, app, second);
    await announced(cases, app);
    const listed = await listAll(context, app.deviceId);
    expect(listed).toEqual([
      {
        package_id: second,
        version: expect.any(Number),
        status: "waiting",
        app_name: "Looper",
        manifest: expect.objectContaining({ package_id: second }),
        files: { "kick.wav": `/importer/packages/${second}/files/kick.wav` },
        taken: false,
        created_at: "2026-01-01T00:00:01.500Z",
        committed_at: "2026-01-01T00:00:02.500Z",
        expires_at: "2026-01-02T00:00:02.500Z",
        expires_in: 86_400,
      },
      expect.objectContaining({
        package_id: packageId,
        files: {
          "My Kick.wav": `/importer/packages/${packageId}/files/My%20Kick.wav`,
          "b.wav": `/importer/packages/${packageId}/files/b.wav`,
        },
        expires_in: 86_398,
      }),
    ]);
  });

  test("[I1] shows what is taken, what was reported, and nothing whose files are gone", async () => {
    await using relay = await waitingPackage();
    const { cases, context, app } = relay;
    const list = () => listAll(context, app.deviceId);
    await relay.take({ run_id: "a" });
    expect(await list()).toMatchObject([{ taken: true, status: "waiting" }]);
    await relay.report({ 1: { status: "imported" } });
    expect(await list()).toMatchObject([{ taken: false, status: "imported" }]);
    expect(await findImportable(context, app.deviceId, relay.packageId)).toEqual({
      ...(await list())[0],
      results: { 1: { status: "imported" } },
    });
    const { deviceId: elsewhere } = await register(cases);
    expect(await listAll(context, elsewhere)).toEqual([]);
    cases.clock.time = T0 + DAY;
    expect(await list()).toEqual([]);
  });
});

describe("a download", () => {
  test("[I2] has size, checksum and the bytes of a range, both ends included", async () => {
    await using relay = await waitingPackage();
    const wav = smallWav();
    const { read, address, ...found } = await findDownload(
      relay.context,
      relay.app.deviceId,
      relay.packageId,
      "kick.wav",
    );
    const [sound] = manifestOf(["kick.wav"]).items;
    expect(found).toEqual({ sizeBytes: wav.byteLength, sha256: sound?.sha256 });
    const bytes = await buffer(await read({ start: 8, end: 11 }));
    expect(bytes.toString()).toBe("WAVE");
    // A disk has no address that others could call.
    expect(await address()).toBeUndefined();
  });

  test("[I2] is refused where there is nothing to fetch, each with its reason", async () => {
    await using relay = await waitingPackage();
    const { cases, context, app, packageId } = relay;
    const { package_id: uploading } = await announced(cases, app);
    await upload(cases, app, uploading);
    const { deviceId: elsewhere } = await register(cases);
    const find = (deviceId: string, id: string, file: string) =>
      findDownload(context, deviceId, id, file);
    await expect(find(elsewhere, packageId, "kick.wav")).rejects.toMatchObject({
      code: "PACKAGE_UNKNOWN",
    });
    await expect(find(app.deviceId, packageId, "a.wav")).rejects.toMatchObject({
      code: "FILE_UNKNOWN",
      message: "The package has no file a.wav.",
    });
    await expect(find(app.deviceId, uploading, "kick.wav")).rejects.toMatchObject({
      code: "PACKAGE_NOT_COMMITTED",
    });
    cases.clock.time = T0 + DAY - 1;
    const { read } = await find(app.deviceId, packageId, "kick.wav");
    cases.clock.time = T0 + DAY;
    await expect(find(app.deviceId, packageId, "kick.wav")).rejects.toMatchObject({
      code: "PACKAGE_EXPIRED",
      status: 409,
    });
    await sweep(context);
    await expect(read({ start: 0, end: 3 })).rejects.toMatchObject({ code: "PACKAGE_EXPIRED" });
  });

  test("[S2] renews the hold with every MiB that went out, not with less", async () => {
    await using relay = await waitingPackage();
    await relay.take({ run_id: "a" });
    const sizes = [MIB - 1, 1, MIB / 2, MIB / 2 - 1, 1, 5];
    const renewals = [];
    const { sounds, packages } = relay.context;
    sounds.open = async () =>
      (async function* () {
        for (const size of sizes) yield new Uint8Array(size);
      })();
    const find = packages.find.bind(packages);
    let finds = 0;
    packages.find = (packageId) => {
      finds += 1;
      return find(packageId);
    };
    const { read } = await findDownload(
      relay.context,
      relay.app.deviceId,
      relay.packageId,
      "kick.wav",
    );
    const pieces = await read({ start: 0, end: 3 });
    finds = 0;
    for await (const piece of pieces) {
      renewals.push([piece.byteLength, finds]);
      relay.cases.clock.time += MINUTE;
    }
    expect(renewals).toEqual([
      [MIB - 1, 0],
      [1, 0],
      [MIB / 2, 1],
      [MIB / 2 - 1, 1],
      [1, 1],
      [5, 2],
    ]);
    expect(await relay.lease()).toEqual({ runId: "a", endsAt: T0 + 5 * MINUTE + LEASE });
  });
});
