import { mkdtemp, readdir, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DiskSoundStore } from "../../relay/storage/disk/disk-sound-store.ts";
import { NODE_FILES, type SoundFiles } from "../../relay/storage/disk/sound-files.ts";
import { RunningRelay } from "./running-relay.ts";
import { manifestOf } from "../manifest-of.ts";

const DAY_SECONDS = 86_400;

/** This computer's files, of which some calls fail once. */
function failingOnce(code: string): { readonly files: SoundFiles; readonly fail: () => void } {
  let failures = 0;
  const unlinkUnless = async (path: string): Promise<void> => {
    if (failures > 0) {
      failures -= 1;
      throw Object.assign(new Error(code), { code });
    }
    await unlink(path);
  };
  return { files: { ...NODE_FILES, unlink: unlinkUnless }, fail: () => void (failures = 1) };
}

/** The files of sounds of a data folder: those in their place, or those in the quarantine. */
async function filesIn(folder: string, where = "place"): Promise<readonly string[]> {
  const root = join(folder, "sounds");
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name !== "instance")
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.includes(".quarantine") === (where === "quarantine"));
}

describe.concurrent("a file that can't be deleted once", () => {
  test.for(["EPERM", "EBUSY", "EIO"])(
    "[Z3] D8: is deleted by the next sweep, without a restart (%s)",
    async (code, { expect }) => {
      const folder = await mkdtemp(join(tmpdir(), "soundferry-unlink-"));
      const { files, fail } = failingOnce(code);
      const sounds = await DiskSoundStore.open(folder, files);
      await using relay = await RunningRelay.start(
        { SOUNDFERRY_DATA: folder },
        { ports: { sounds } },
      );
      const { token } = await relay.paired();
      const packageId = await relay.send(token);
      fail();
      expect((await relay.call("DELETE", `/packages/${packageId}`, { token })).status).toBe(200);
      expect(await filesIn(folder)).toHaveLength(1);
      await relay.sweep();
      expect(await filesIn(folder)).toEqual([]);
      expect(await readdir(join(folder, "sounds"))).toEqual(["instance"]);
    },
  );
});

describe.concurrent("a package whose files are deleted", () => {
  test("[Z5] D3: reads expired when the clock was wrong, can't be taken, and its room is free", async ({
    expect,
  }) => {
    await using relay = await RunningRelay.start({ SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE: "1" });
    const { token, importer } = await relay.paired();
    const packageId = await relay.send(token);
    const post = { token, body: manifestOf(["b.wav"]) };
    expect((await relay.call("POST", "/packages", post)).status).toBe(507);
    relay.clock.pass(2 * DAY_SECONDS);
    await relay.sweep();
    relay.clock.pass(-2 * DAY_SECONDS);
    expect(await relay.status(token, packageId)).toMatchObject({
      status: "expired",
      expires_at: null,
      expires_in: null,
    });
    const take = `/importer/packages/${packageId}/take`;
    expect(await relay.call("POST", take, { token: importer.token })).toMatchObject({
      status: 409,
      json: { code: "PACKAGE_EXPIRED" },
    });
    const commit = `/packages/${packageId}/commit`;
    expect((await relay.call("POST", commit, { token })).status).toBe(409);
    expect((await relay.call("POST", "/packages", post)).status).toBe(201);
    const list = await relay.call("GET", "/importer/packages", { token: importer.token });
    expect(list.json.packages).toEqual([]);
  });
});

test("[Z2] D5: a sound that is lost at a download is an error in the log, with its key and advice", async () => {
  await using relay = await RunningRelay.start();
  const { token, importer } = await relay.paired();
  const packageId = await relay.send(token, ["a.wav", "b.wav"]);
  const [lost] = await filesIn(relay.folder);
  await unlink(lost ?? "");
  const get = (file: string) =>
    relay.call("GET", `/importer/packages/${packageId}/files/${file}`, { token: importer.token });
  const answers = [await get("a.wav"), await get("b.wav")];
  const refused = answers.find(({ status }) => status === 404);
  expect(refused?.json).toMatchObject({ code: "SOUND_LOST" });
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
  const errors = relay.logLines.filter((line) => JSON.parse(line).level >= 50);
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain(packageId);
  expect(errors[0]).toContain("soundferry relay check");
  const { files } = await relay.status(token, packageId);
  expect(Object.values(files).toSorted()).toEqual(["missing", "uploaded"]);
});
