import { expect, onTestFinished, test } from "vitest";
import { readMovedMark } from "../../../relay/storage/disk/moved-mark.ts";
import { openActions } from "../../../relay/operating/administer.ts";
import { checkRelay } from "../../../relay/operating/check.ts";
import { makeMachine } from "../../cli/run-soundferry.ts";
import { INTEROP } from "../http/partial-calls.ts";
import { RunningRelay } from "../running-relay.ts";
import { emptyFolder } from "./backed-up-relay.ts";
import {
  ageProcesses,
  emptyPlace,
  emptyTarget,
  HALF,
  moveBetween,
  relayToMove,
} from "./moving-relay.ts";

/** Kills come after so many lines of progress, all of them once rows and sounds are on their way. */
const KILLED_AFTER = [1, 3, 6, 9];

test("[SC22] the command, killed while it copies, ends with everything moved", async () => {
  const moved = await relayToMove();
  const { environment, settings } = await emptyTarget();
  const { SOUNDFERRY_DATABASE_URL: url, SOUNDFERRY_S3_BUCKET: bucket, ...s3 } = environment;
  await using machine = await makeMachine();
  const words = ["relay", "migrate", "--to", url, "--s3", `s3://${bucket}`];
  const variables = { ...s3, SOUNDFERRY_DATA: moved.folder };
  for (const lines of KILLED_AFTER) {
    const command = machine.start(words, variables);
    await command.until(({ stdout, stderr }) => (stdout + stderr).split("\n").length > lines);
    command.interrupt("SIGKILL");
    expect((await command.ended).status).toBeNull();
    expect(readMovedMark(moved.folder)?.state).toBe("moving");
  }
  const { status, stdout, stderr } = await machine.run([...words, "--json"], variables);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const given = { from: moved.folder, moved_before: false, devices: 3, packages: 5 };
  expect(JSON.parse(stdout)).toMatchObject(given);
  const checked = { mismatch: undefined, lost: [], unknown: [], unfinished: [], soundCount: 4 };
  expect(await checkRelay(settings, {})).toMatchObject(checked);
  const relay = await RunningRelay.start(environment, { hasOwnClock: true });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  expect((await relay.status(moved.token, moved.waiting)).status).toBe("waiting");
  expect((await relay.status(moved.token, moved.imported)).status).toBe("imported");
  expect((await relay.status(moved.other.token, moved.failed)).status).toBe("failed");
  const half = moved.begun.upload["half.wav"] ?? "";
  const head = await relay.call("HEAD", half, { token: moved.token, headers: INTEROP });
  expect(head.headers.get("upload-offset")).toBe(String(HALF));
});

test("[SC21] the command moves the relay that the settings name to a folder", async () => {
  const moved = await relayToMove();
  const { environment, settings } = await emptyPlace();
  await moveBetween({ dataFolder: moved.folder }, settings);
  await ageProcesses(settings.databaseUrl);
  await using machine = await makeMachine();
  const to = await emptyFolder();
  const words = ["relay", "migrate", "--to", to];
  const { status, stdout } = await machine.run(words, environment);
  expect(status).toBe(0);
  expect(stdout).toContain(`to ${to}.`);
  expect(stdout).toContain("without SOUNDFERRY_DATABASE_URL and SOUNDFERRY_S3_BUCKET");
  const relay = await RunningRelay.start({ SOUNDFERRY_DATA: to });
  onTestFinished(() => relay.stop());
  expect((await relay.status(moved.token, moved.waiting)).status).toBe("waiting");
});

test("[SC22] an operator can't change a folder whose relay has moved", async () => {
  const moved = await relayToMove();
  const { move } = await emptyTarget();
  await move(moved.folder);
  await expect(openActions({ dataFolder: moved.folder }, { who: "anna" })).rejects.toThrow(
    "has moved to the test's database",
  );
});
