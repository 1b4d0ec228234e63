import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InstanceMismatch } from "../../../relay/domain/upkeep/instance-mismatch.ts";
import { FolderInUseError } from "../../../relay/index.ts";
import { checkRelay } from "../../../relay/operating/check.ts";
import { smallWav } from "../../wav-bytes.ts";
import { INTEROP, partHeaders } from "../http/partial-calls.ts";
import { emptyFolder, soundsIn } from "./backed-up-relay.ts";
import { movable, startOn } from "./movable-relay.ts";
import { contentOf } from "./moved-relay.ts";
import { HALF, moveBetween } from "./moving-relay.ts";

// A move needs neither PostgreSQL nor S3: everything but what these do themselves is the same from folder to folder.

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
