import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { InstanceMismatch } from "../../../relay/domain/upkeep/instance-mismatch.ts";
import { FolderInUseError } from "../../../relay/index.ts";
import { checkStores } from "../../../relay/operating/check.ts";
import { smallWav } from "../../wav-bytes.ts";
import { INTEROP, partHeaders } from "../http/partial-calls.ts";
import { RunningRelay } from "../running-relay.ts";
import { ask } from "../../../relay/storage/records/statement.ts";
import { stoppedRelay } from "../stopped-relay.ts";
import { plainStatement } from "../storage/records/plain-statement.ts";
import { soundsIn } from "./backed-up-relay.ts";
import { emptyTarget, HALF, relayToMove, sumOf } from "./moving-relay.ts";

async function startMoved(environment: Record<string, string>): Promise<RunningRelay> {
  const relay = await RunningRelay.start(environment, { hasOwnClock: true });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  return relay;
}

test("[SC21] every token, package, result, key and offset works on PostgreSQL and S3", async () => {
  const moved = await relayToMove();
  const { environment, move, target } = await emptyTarget();
  const result = await move(moved.folder);
  expect(result).toMatchObject({ isNew: true, devices: 3, packages: 5, sounds: 4, partials: 1 });
  const checked = await checkStores(target);
  expect(checked).toMatchObject({ mismatch: undefined, lost: [], unknown: [], unfinished: [] });

  const relay = await startMoved(environment);
  const { token, importer, other } = moved;
  expect((await relay.status(token, moved.waiting)).status).toBe("waiting");
  expect((await relay.status(token, moved.imported)).status).toBe("imported");
  expect((await relay.status(other.token, moved.failed)).status).toBe("failed");
  expect((await relay.call("GET", `/packages/${moved.withdrawn}/status`, { token })).status).toBe(
    404,
  );
  expect((await relay.call("GET", "/importer/packages", moved.lonely)).status).toBe(200);
  const again = await relay.call("POST", "/packages", moved.repeatable);
  expect(again.json.package_id).toBe(moved.repeatedId);

  const path = `/importer/packages/${moved.waiting}`;
  await relay.call("POST", `${path}/take`, { token: importer.token, body: { run_id: "two" } });
  const file = await fetch(`${relay.url}${path}/files/kick.wav`, {
    headers: { authorization: `Bearer ${importer.token}` },
  });
  expect(sumOf(new Uint8Array(await file.arrayBuffer()))).toBe(sumOf(smallWav()));

  const half = moved.begun.upload["half.wav"] ?? "";
  const head = await relay.call("HEAD", half, { token, headers: INTEROP });
  expect(head.headers.get("upload-offset")).toBe(String(HALF));
  await relay.call("PATCH", half, {
    token,
    body: smallWav().subarray(HALF),
    headers: partHeaders(HALF, "?1"),
  });
  const late = moved.begun.upload["late.wav"] ?? "";
  expect((await relay.call("PUT", late, { token, body: smallWav() })).status).toBeLessThan(300);
  const commit = `/packages/${moved.begun.package_id}/commit`;
  expect((await relay.call("POST", commit, { token })).json.status).toBe("waiting");
});

const DEVICES = plainStatement("test_apps", "SELECT * FROM app_counts ORDER BY device_id, app_id");
const TIERS = plainStatement(
  "test_tiers",
  "SELECT tier, bytes FROM room_counts WHERE bytes <> 0 AND tier NOT LIKE '~%' ORDER BY tier",
);

test("[SC21] what quotas count is the same there as here", async () => {
  const moved = await relayToMove();
  const { move, target } = await emptyTarget();
  await move(moved.folder);
  using source = new DatabaseSync(join(moved.folder, "relay.sqlite"), { readOnly: true });
  for (const counts of [DEVICES, TIERS]) {
    const expected = source.prepare(counts().statement.compiled("sqlite").text).all();
    expect(expected.length).toBeGreaterThan(0);
    const counted = await target.records.engine.read(ask(counts()));
    expect(counted).toEqual(expected.map((row) => Object.assign({}, row)));
  }
});

test("[SC22] stopped at any point and started again, it goes on and ends the same", async () => {
  const moved = await relayToMove();
  const { move, target } = await emptyTarget();
  let steps = 0;
  let ended = false;
  for (let stopAt = 1; !ended && stopAt < 40; stopAt += 3) {
    const stop = new AbortController();
    steps = 0;
    const onProgress = () => {
      steps += 1;
      if (steps === stopAt) stop.abort(new Error("Stopped by the test."));
    };
    ended = await move(moved.folder, { onProgress, signal: stop.signal }).then(
      () => true,
      (error: unknown) => {
        expect(error).toBe(stop.signal.reason);
        return false;
      },
    );
  }
  expect(ended).toBe(true);
  expect(steps).toBeGreaterThan(0);
  const checked = await checkStores(target);
  expect(checked).toMatchObject({ mismatch: undefined, soundCount: 4, lost: [], unknown: [] });
  expect(await move(moved.folder)).toMatchObject({ isNew: false, devices: 3 });
});

test("[SC22] no relay starts on a folder that moves or has moved, nor on a target that isn't complete", async () => {
  const moved = await relayToMove();
  const { move, environment } = await emptyTarget();
  const stop = new AbortController();
  const onProgress = () => stop.abort(new Error("Stopped by the test."));
  await expect(move(moved.folder, { onProgress, signal: stop.signal })).rejects.toThrow("Stopped");
  const old = { SOUNDFERRY_DATA: moved.folder };
  await expect(RunningRelay.start(old)).rejects.toThrow("is being moved to");
  await expect(RunningRelay.start(environment)).rejects.toThrow(InstanceMismatch);
  await move(moved.folder);
  await expect(RunningRelay.start(old)).rejects.toThrow("has moved to the test's database");
});

test("[SC23] a running relay, another relay's database and another's bucket are refused", async () => {
  const [first, second] = [await relayToMove(), await relayToMove()];
  const target = await emptyTarget();
  await target.move(first.folder);
  await expect(target.move(second.folder)).rejects.toThrow("belongs to another relay");
  const fresh = await emptyTarget();
  const mixed = { ...fresh.target, sounds: target.target.sounds };
  await expect(target.move(second.folder, { target: mixed })).rejects.toThrow(
    "The sound store there belongs",
  );
  const running = await RunningRelay.start({ SOUNDFERRY_DATA: second.folder });
  await expect(fresh.move(second.folder)).rejects.toThrow(FolderInUseError);
  await running.stop();
});

test("[SC23] a folder that was used again after a move began is copied from the start", async () => {
  const moved = await relayToMove();
  const { move, environment } = await emptyTarget();
  const stop = new AbortController();
  const onProgress = ({ step }: { step: string }) => step === "rows" && stop.abort(new Error("x"));
  await expect(move(moved.folder, { onProgress, signal: stop.signal })).rejects.toThrow("x");
  const { rm } = await import("node:fs/promises");
  await rm(join(moved.folder, "moved.json"));
  const again = await RunningRelay.start({ SOUNDFERRY_DATA: moved.folder });
  await again.call("DELETE", `/packages/${moved.waiting}`, { token: moved.token });
  const late = await again.send(moved.token, ["late.wav"]);
  await again.stop();
  expect(await move(moved.folder)).toMatchObject({ isNew: true, packages: 5, sounds: 3 });
  const relay = await startMoved(environment);
  expect((await relay.status(moved.token, late)).status).toBe("waiting");
  const gone = `/packages/${moved.waiting}/status`;
  expect((await relay.call("GET", gone, { token: moved.token })).status).toBe(404);
});

test("[SC23] a sound that isn't what was sent stops the move, and with --repair its app can send it again", async () => {
  const moved = await relayToMove();
  const { move, environment } = await emptyTarget();
  const keys = await soundsIn(moved.folder);
  const sound = keys.find((key) => key.startsWith(moved.waiting)) ?? "";
  const path = join(moved.folder, "sounds", sound);
  const bytes = await readFile(path);
  await writeFile(path, bytes.fill(1, 60));
  await expect(move(moved.folder)).rejects.toThrow("aren't what was sent");
  expect(await move(moved.folder, { isRepairing: true })).toMatchObject({ damaged: [sound] });
  const relay = await startMoved(environment);
  const { files } = await relay.status(moved.token, moved.waiting);
  expect(Object.values(files).toSorted()).toEqual(["missing", "uploaded"]);
});

test("[SC23] an empty folder is refused, and a target that isn't empty", async () => {
  await using own = await stoppedRelay(["bass.wav"]);
  const { move, target } = await emptyTarget();
  const block = { subject: "192.0.2.1", kind: "address", who: "anna", at: 1 } as const;
  await target.records.engine.change("block", block);
  await expect(move(own.data)).rejects.toThrow("already has records of a relay");
  await expect(move(join(own.data, "nowhere"))).rejects.toThrow("There is no data folder");
});
