import { constants } from "node:fs";
import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { POOLED_CALLS, QuickDisk } from "../../../addon/disk/disk-calls.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** A disk whose calls take as long as `clock.each` says, and the files that it opened through the pool. */
async function slowDisk() {
  const path = join(await temporaryFolder(), "a");
  await writeFile(path, "abc");
  const clock = { ms: 0, each: 0 };
  const pooled = new Array<string>();
  const disk = new QuickDisk(
    () => {
      clock.ms += clock.each / 2;
      return clock.ms;
    },
    {
      ...POOLED_CALLS,
      open: (file, flags) => {
        pooled.push(file);
        return open(file, flags);
      },
    },
  );
  const read = async ({ openedInMs = 0 } = {}) => {
    clock.each += 2 * openedInMs;
    const opening = disk.open(path, constants.O_RDONLY);
    clock.each -= 2 * openedInMs;
    const isLater = opening instanceof Promise;
    const file = await opening;
    const memory = Buffer.alloc(4);
    const { bytesRead } = await file.read(memory, 0, 4, 0);
    expect(memory.toString("utf8", 0, bytesRead)).toBe("abc");
    await file.close();
    return isLater;
  };
  return { clock, pooled, read };
}

test("[B4] answers at once, and lets other work in every few milliseconds", async () => {
  const { clock, pooled, read } = await slowDisk();
  expect([await read(), await read(), await read()]).toEqual([true, false, false]);
  clock.ms += 11;
  expect([await read(), await read()]).toEqual([true, false]);
  let turns = 0;
  const immediate = setImmediate(() => (turns += 1));
  clock.ms += 11;
  await read();
  clearImmediate(immediate);
  expect(turns).toBe(1);
  expect(pooled).toEqual([]);
});

test("[B4] waits for a slow disk through the pool, and tries it again later", async () => {
  const { clock, pooled, read } = await slowDisk();
  await read();
  // One late call is a busy processor.
  await read({ openedInMs: 4 });
  for (let reads = 0; reads < 50; reads += 1) await read();
  expect(pooled.length).toBe(0);
  clock.each = 1;
  while (pooled.length === 0) await read();
  clock.each = 0;
  for (let reads = 0; reads < 300; reads += 1) await read();
  expect(pooled.length).toBe(256);
});
