import { execFile } from "node:child_process";
import { readdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { flushAll, flushData } from "../../../addon/disk/atomic-file.ts";
import { smallWav } from "../../wav-bytes.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const ROOT = join(import.meta.dirname, "../../..");

test("[F3][H9] every file is written under a permission model that refuses to flush", async () => {
  const folder = await realpath(await temporaryFolder());
  await writeFile(join(folder, "Kick.wav"), smallWav());
  const readable = [ROOT, await realpath(join(ROOT, "node_modules")), folder];
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--permission",
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `--allow-fs-write=${folder}`,
    join(import.meta.dirname, "write-under-permission.ts"),
    folder,
  ]);
  expect(JSON.parse(stdout)).toEqual(["rejected", "rejected"]);
  const files = [
    "Kick -24 dB.wav",
    "Kick.wav",
    "in",
    "part.json",
    "run.jsonl",
    "sound.wav",
    "state.json",
  ];
  expect((await readdir(folder)).sort()).toEqual(expect.arrayContaining(files));
});

test.each([
  { code: "EIO", message: "EIO: i/o error, fdatasync" },
  { code: "EACCES", message: "fsync API is disabled" },
  { code: "ERR_ACCESS_DENIED", message: "Access to this API has been restricted" },
])("[F3] any other refusal to flush is an error: $message", async ({ code, message }) => {
  const refuse = () => Promise.reject(Object.assign(new Error(message), { code }));
  await expect(flushData({ datasync: refuse })).rejects.toThrow(message);
  await expect(flushAll({ sync: refuse })).rejects.toThrow(message);
});
