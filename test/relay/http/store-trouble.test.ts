import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { DiskSoundStore } from "../../../relay/storage/disk/disk-sound-store.ts";
import { NODE_FILES } from "../../../relay/storage/disk/sound-files.ts";
import { SqliteDatabase } from "../../../relay/storage/sqlite/sqlite-database.ts";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { temporaryFolder } from "../storage/sqlite/open-sqlite.ts";
import { soon } from "../../sim/soon.ts";
import { manifestOf } from "../../manifest-of.ts";

/** A relay on a database that another program can lock, and that waits only briefly for it. */
async function startOnLockable() {
  const folder = await temporaryFolder();
  const records = await SqliteDatabase.open(folder.path, { busyTimeoutMs: 30 });
  const relay = await RunningRelay.start({}, { ports: { records } });
  const other = new DatabaseSync(join(folder.path, "relay.sqlite"));
  return {
    relay,
    other,
    [Symbol.asyncDispose]: async () => {
      other.close();
      await relay[Symbol.asyncDispose]();
      await records[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function errorsIn(relay: RunningRelay): { msg: string; err?: { type: string } }[] {
  return relay.logLines
    .map((line) => JSON.parse(line))
    .filter(({ level, msg }) => level === 50 && msg !== "call");
}

test("[Z7] D9: while another program locks the database, changes are answered 503 with Retry-After, and reads go on", async () => {
  await using locked = await startOnLockable();
  const { relay, other } = locked;
  const { token } = await relay.paired();
  const announce = () => relay.call("POST", "/packages", { token, body: manifestOf(["kick.wav"]) });
  other.exec("BEGIN EXCLUSIVE");
  for (let round = 0; round < 3; round += 1) {
    const { status, json, headers } = await announce();
    expect([status, json.code, headers.get("retry-after")]).toEqual([503, "NOT_READY", "5"]);
  }
  expect((await relay.call("GET", "/app/me", { token })).status).toBe(200);
  const readyz = () => relay.call("GET", "/readyz");
  await soon(async () => (await readyz()).json.reason).toBe("locked");
  expect(await readyz()).toMatchObject({ status: 503, json: { code: "NOT_READY" } });
  expect(errorsIn(relay)).toEqual([
    expect.objectContaining({ msg: expect.stringMatching(/relay\.sqlite: Another program/) }),
  ]);
  other.exec("ROLLBACK");
  expect((await announce()).status).toBe(201);
  await soon(async () => (await readyz()).json).toEqual({ status: "ready", notices: [] });
});

test("[Z7] a ballast that can't be made keeps no relay from starting, and the log says so", async () => {
  await using folder = await temporaryFolder();
  await mkdir(join(folder.path, "ballast", "full"), { recursive: true });
  await using relay = await RunningRelay.start({
    SOUNDFERRY_DATA: folder.path,
    SOUNDFERRY_BALLAST_BYTES: "1024",
  });
  const { token } = await relay.paired();
  await relay.send(token);
  expect(relay.logLines.join("")).toContain(join(folder.path, "ballast"));
});

describe("a disk of sounds that fails", () => {
  const troubles = [
    ["EIO", 503, "The disk fails."],
    ["EACCES", 503, "Let its user read and write it."],
    ["EROFS", 503, "The file system is read-only."],
    ["EMFILE", 503, "The relay has too many files open."],
    ["ENOSPC", 507, "The disk is full."],
    ["EDQUOT", 507, "The user's quota"],
  ] as const;
  test.concurrent.for(troubles)(
    "[Z7] with %s is answered %i, and logged once, with its path and what to do",
    async ([code, expected, advice], { expect }) => {
      await using folder = await temporaryFolder();
      await mkdir(join(folder.path, "sounds"));
      const open: typeof NODE_FILES.open = async (path, flags, mode) => {
        if (path.endsWith(".part") && path.includes("pkg_")) {
          throw Object.assign(new Error(code), { code, path });
        }
        return NODE_FILES.open(path, flags, mode);
      };
      const sounds = await DiskSoundStore.open(folder.path, { ...NODE_FILES, open });
      await using relay = await RunningRelay.start({}, { ports: { sounds } });
      const { token } = await relay.paired();
      const { upload } = await relay.announce(token, manifestOf(["kick.wav"]));
      for (let round = 0; round < 3; round += 1) {
        const path = upload["kick.wav"] ?? "";
        const { status, headers } = await relay.call("PUT", path, { token, body: smallWav() });
        expect(status).toBe(expected);
        expect(headers.get("retry-after")).not.toBeNull();
      }
      const [error, ...more] = errorsIn(relay);
      expect(more).toEqual([]);
      expect(error?.msg).toContain(join(folder.path, "sounds", "pkg_"));
      expect(error?.msg).toContain(advice);
    },
  );
});

test.for([
  ["EIO", 503, "5"],
  ["ENOSPC", 507, "60"],
] as const)(
  "[Z14] a commit of several files whose store fails with %s is %i with Retry-After, and logged once",
  async ([code, expected, retryAfter]) => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, "sounds"));
    let isAway = false;
    const stat: typeof NODE_FILES.stat = async (path) => {
      if (isAway && path.includes("pkg_")) throw Object.assign(new Error(code), { code, path });
      return NODE_FILES.stat(path);
    };
    const sounds = await DiskSoundStore.open(folder.path, { ...NODE_FILES, stat });
    await using relay = await RunningRelay.start({}, { ports: { sounds } });
    const { token } = await relay.paired();
    const files = ["kick.wav", "pad.wav", "bass.wav"];
    const { upload, package_id: id } = await relay.announce(token, manifestOf(files));
    for (const file of files) {
      await relay.call("PUT", upload[file] ?? "", { token, body: smallWav() });
    }
    isAway = true;
    const commit = () => relay.call("POST", `/packages/${id}/commit`, { token });
    const { status, headers } = await commit();
    expect([status, headers.get("retry-after")]).toEqual([expected, retryAfter]);
    expect(errorsIn(relay)).toHaveLength(1);
    isAway = false;
    expect((await commit()).status).toBe(200);
  },
);
