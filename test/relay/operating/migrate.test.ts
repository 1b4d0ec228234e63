import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { InstanceMismatch } from "../../../relay/domain/upkeep/instance-mismatch.ts";
import { FolderInUseError } from "../../../relay/index.ts";
import { openSource, openTarget } from "../../../relay/operating/moving/move-stores.ts";
import { checkRelay } from "../../../relay/operating/check.ts";
import { smallWav } from "../../wav-bytes.ts";
import { INTEROP, partHeaders } from "../http/partial-calls.ts";
import { RunningRelay } from "../running-relay.ts";
import { emptyFolder, soundsIn } from "./backed-up-relay.ts";
import { contentOf, Steps } from "./moved-relay.ts";
import { HALF, moveBetween, relayToMove } from "./moving-relay.ts";

// A move needs neither PostgreSQL nor S3: everything but what these do themselves is the same from folder to folder.

async function startOn(folder: string): Promise<RunningRelay> {
  const relay = await RunningRelay.start({ SOUNDFERRY_DATA: folder });
  onTestFinished(() => relay.stop());
  return relay;
}

/** A relay, an empty folder, and a move from one to the other. */
async function movable() {
  const moved = await relayToMove();
  const folder = await emptyFolder();
  const move = (options: Parameters<typeof moveBetween>[2] = {}) =>
    moveBetween({ dataFolder: moved.folder }, { dataFolder: folder }, options);
  return { ...moved, from: moved.folder, to: folder, move };
}

test("[SC21] everything that moves is the same there, and a file that is sent in several calls continues", async () => {
  const { from, to, move, token, begun, waiting } = await movable();
  const before = await contentOf(from);
  expect(await move()).toMatchObject({
    devices: 3,
    packages: 5,
    sounds: 4,
    partials: 1,
    isNew: true,
  });
  const after = await contentOf(to);
  // The withdrawn package's key stays here, to be deleted.
  const keys = before.rows["partials"]?.length;
  expect(after.rows["sound_keys"]).toHaveLength(keys ?? 0);
  expect({ ...after.rows, sound_keys: [] }).toEqual({ ...before.rows, sound_keys: [] });
  expect(after.sounds).toEqual(before.sounds);
  const checked = { mismatch: undefined, lost: [], unknown: [], unfinished: [], soundCount: 4 };
  expect(await checkRelay({ dataFolder: to }, {})).toMatchObject(checked);

  const relay = await startOn(to);
  expect((await relay.status(token, waiting)).status).toBe("waiting");
  const half = begun.upload["half.wav"] ?? "";
  const head = await relay.call("HEAD", half, { token, headers: INTEROP });
  expect(head.headers.get("upload-offset")).toBe(String(HALF));
  const rest = { token, body: smallWav().subarray(HALF), headers: partHeaders(HALF, "?1") };
  expect((await relay.call("PATCH", half, rest)).status).toBeLessThan(300);
});

test("[SC22] stopped at every single step and started again, it goes on and ends the same", async () => {
  const { from, to, move } = await movable();
  const straight = await emptyFolder();
  for (let last = 1; ; last += 1) {
    const steps = new Steps(last);
    if (await moveSome(steps, from, to)) break;
    // A target is complete once its sounds have the relay's id.
    if (["keepInstance", "writeMark"].includes(steps.failed) && last > 2) continue;
    await expect(startOn(to), `A relay starts before ${steps.failed}`).rejects.toThrow();
  }
  expect(await move()).toMatchObject({ isNew: false, devices: 3, packages: 5, sounds: 4 });
  const once = await relayFolderMovedTo(from, straight);
  expect(await contentOf(to)).toEqual(once);
  await startOn(to);
});

/** Moves until a step fails. Returns whether it came to its end. */
async function moveSome(steps: Steps, from: string, to: string): Promise<boolean> {
  await using source = await openSource({ dataFolder: from }, from);
  await using target = await openTarget({ dataFolder: to }, to);
  return await steps.move(source, target);
}

/** The content of a folder after a move without a stop. */
async function relayFolderMovedTo(from: string, to: string) {
  await rm(join(from, "moved.json"));
  await moveBetween({ dataFolder: from }, { dataFolder: to });
  return contentOf(to);
}

test("[SC22] no relay starts on a folder whose relay moves or has moved, and it moves nowhere else", async () => {
  const { from, move } = await movable();
  const stop = new AbortController();
  const onProgress = () => stop.abort(new Error("Stopped by the test."));
  await expect(move({ onProgress, signal: stop.signal })).rejects.toThrow("Stopped");
  await expect(startOn(from)).rejects.toThrow("is being moved to");
  await move();
  await expect(startOn(from)).rejects.toThrow("has moved to");
  const elsewhere = await emptyFolder();
  const again = moveBetween({ dataFolder: from }, { dataFolder: elsewhere });
  await expect(again).rejects.toThrow(InstanceMismatch);
});

test("[SC23] a running relay is refused, and a folder with another relay's data, or with this one's from before", async () => {
  const [first, second] = [await movable(), await movable()];
  await first.move();
  const taken = moveBetween({ dataFolder: second.from }, { dataFolder: first.to });
  await expect(taken).rejects.toThrow("belongs to another relay");
  const back = moveBetween({ dataFolder: first.to }, { dataFolder: first.from });
  await expect(back).rejects.toThrow("may have served apps since");
  // What was refused is as it was.
  await (await startOn(first.to)).stop();
  const running = await startOn(second.from);
  await expect(second.move()).rejects.toThrow(FolderInUseError);
  await running.stop();
  await expect(
    moveBetween({ dataFolder: join(first.to, "no") }, { dataFolder: second.to }),
  ).rejects.toThrow("There is no data folder");
});

test("[SC23] a sound that isn't what was sent stops the move, and with --repair its app can send it again", async () => {
  const { from, to, move, waiting, token } = await movable();
  const sound = (await soundsIn(from)).find((key) => key.startsWith(waiting)) ?? "";
  const path = join(from, "sounds", sound);
  await writeFile(path, (await readFile(path)).fill(1, 60));
  await expect(move()).rejects.toThrow("aren't what was sent");
  expect(await move({ isRepairing: true })).toMatchObject({ damaged: [sound] });
  const { files } = await (await startOn(to)).status(token, waiting);
  expect(Object.values(files).toSorted()).toEqual(["missing", "uploaded"]);
});
