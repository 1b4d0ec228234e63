import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DiskSoundStore } from "../../../../relay/storage/disk/disk-sound-store.ts";
import { countCalls } from "../../../sim/counted-disk.ts";
import { temporaryFolder } from "../sqlite/open-sqlite.ts";

const threads: Worker[] = [];
const note = (thread: Worker) => void threads.push(thread);
beforeAll(() => void process.on("worker", note));
afterAll(() => void process.off("worker", note));

/** A store with so many packages of two sounds each. */
async function storeOf(count: number) {
  const folder = await temporaryFolder();
  const sounds = await DiskSoundStore.open(folder.path);
  const root = join(folder.path, "sounds");
  const keys: string[] = [];
  for (let index = 0; index < count; index += 1) {
    await mkdir(join(root, `pkg_${index}`));
    for (const name of ["snd_1", "snd_2"]) {
      keys.push(`pkg_${index}/${name}`);
      await writeFile(join(root, `pkg_${index}/${name}`), "");
    }
  }
  return { sounds, root, keys, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

test("[Z3] many sounds are unlinked, and their folders removed, without a call of this thread for each", async () => {
  await using store = await storeOf(200);
  const { sounds, root, keys } = store;
  const freeing = await countCalls(() => sounds.delete(keys, { mayReturn: true }));
  expect(freeing).toEqual({});
  expect(
    (await Promise.all((await readdir(root)).map((name) => readdir(join(root, name))))).flat(),
  ).toEqual([]);
  const { unlink, rmdir, sync } = await countCalls(() => sounds.delete(keys));
  expect({ unlink, rmdir, sync }).toEqual({ sync: 1 });
  expect(await readdir(root)).toEqual([]);
});

test("[J2][Z3] of many sounds, those that can't be deleted together are deleted one by one, and fail alone", async () => {
  await using store = await storeOf(150);
  const { sounds, root, keys } = store;
  await writeFile(join(root, "pkg_1/snd_2.part"), "");
  await writeFile(join(root, "pkg_2/foreign.txt"), "");
  await mkdir(join(root, "pkg_3/snd_3"));
  await writeFile(join(root, "kept"), "");
  const asked = [...keys, "pkg_3/snd_3", "pkg_9999/snd_1", "../kept"];
  for (const options of [{ mayReturn: true }, {}]) {
    const failure: unknown = await sounds.delete(asked, options).catch((error: unknown) => error);
    const errors = failure instanceof AggregateError ? failure.errors.map(String) : [];
    expect(errors).toHaveLength(2);
    expect(errors).toContainEqual(expect.stringContaining("Not a key of a sound: ../kept"));
    expect(errors).toContainEqual(expect.stringContaining("snd_3"));
  }
  expect((await readdir(root)).toSorted()).toEqual(["kept", "pkg_2", "pkg_3"]);
  expect(await readdir(join(root, "pkg_2"))).toEqual(["foreign.txt"]);
  expect(await readdir(join(root, "pkg_3"))).toEqual(["snd_3"]);
});

test("[Z3] sounds whose thread ends are deleted one by one, and the next ones in a new thread", async () => {
  await using store = await storeOf(150);
  const { sounds, root, keys } = store;
  for (const thread of threads.splice(0)) await thread.terminate();
  const deleting = sounds.delete(keys);
  await once(process, "worker");
  await threads[0]?.terminate();
  await deleting;
  expect(await readdir(root)).toEqual([]);
  await sounds.delete(keys);
  expect(threads).toHaveLength(2);
});
