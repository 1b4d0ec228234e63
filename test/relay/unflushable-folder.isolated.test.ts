import { type Fault, failCalls } from "../sim/faulty-disk.ts";
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { quarantines } from "../../relay/domain/ports.ts";
import { restore } from "../../relay/operating/restore.ts";
import { manifestOf } from "../manifest-of.ts";
import { smallWav } from "../wav-bytes.ts";
import { emptyFolder, relayWithSounds, startOn } from "./operating/backed-up-relay.ts";
import { RunningRelay } from "./running-relay.ts";

/** Each failing call has the next code. */
function inTurn(call: Fault["call"], codes: readonly string[]) {
  let failures = 0;
  return {
    call,
    get code() {
      failures += 1;
      return codes[failures % codes.length] ?? "";
    },
    failures: () => failures,
  };
}

const FOLDERS = [
  inTurn("flush folder", ["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EBADF"]),
  inTurn("open folder", ["EISDIR", "EACCES", "EPERM"]),
];

describe("a folder that can't be flushed", () => {
  test.each(FOLDERS)("[Z13] lets a relay do all its work ($call)", async (fault) => {
    using _disk = failCalls(fault);
    const { relay, token, packages, run } = await relayWithSounds();
    const { sounds } = relay.relay.context;
    const keys = await readdir(join(relay.folder, "sounds", packages[0] ?? ""));
    const [key = ""] = keys.map((name) => `${packages[0]}/${name}`);
    assert(quarantines(sounds));
    await sounds.quarantine([key], 5);
    await sounds.quarantine([key], null);
    const { folder } = await run();
    const dataFolder = await emptyFolder();
    await restore({ backup: folder, dataFolder });
    const restored = await startOn(dataFolder);
    expect((await restored.status(token, packages[0] ?? "")).status).toBe("waiting");
    expect(fault.failures()).toBeGreaterThan(10);
  });

  test("[Z13] is named once in the log and in /readyz", async () => {
    using _disk = failCalls({ call: "flush folder", code: "EINVAL" });
    await using relay = await RunningRelay.start();
    const { token } = await relay.paired();
    await relay.send(token);
    const sentence = `${relay.folder} is on a file system that can't flush folders. A 200 there survives a kill, but perhaps not a power cut. To be sure, choose a folder on another disk.`;
    const { status, json } = await relay.call("GET", "/readyz");
    expect([status, json]).toEqual([200, { status: "ready", notices: [sentence] }]);
    expect(relay.logLines.filter((line) => line.includes("can't flush"))).toHaveLength(1);
  });

  test("[Z13] is the folder of the sounds, if only that is on another disk", async () => {
    using _disk = failCalls({ call: "flush folder", code: "ENOTSUP", at: "sounds" });
    await using relay = await RunningRelay.start();
    const { json } = await relay.call("GET", "/readyz");
    expect(json.notices).toEqual([expect.stringContaining(join(relay.folder, "sounds"))]);
  });
});

const STRICT: readonly Fault[] = [
  ...["EIO", "ENOSPC", "EDQUOT", "EROFS"].map((code): Fault => ({ call: "flush folder", code })),
  ...["EINVAL", "ENOTSUP", "ENOSYS", "EACCES"].map((code): Fault => ({ call: "flush", code })),
];

test.each(STRICT)("[U7][Z13] nothing is confirmed on $code ($call)", async (fault) => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const announced = await relay.announce(token, manifestOf(["kick.wav"]));
  using _disk = failCalls(fault);
  const path = announced.upload["kick.wav"] ?? "";
  const { status } = await relay.call("PUT", path, { token, body: smallWav() });
  expect(status).toBeGreaterThanOrEqual(500);
});

test("[Z7] a relay that can't write to its data folder says so, with the folder and what to do", async () => {
  const folder = await emptyFolder();
  using _disk = failCalls({ call: "open", code: "EROFS", at: folder });
  await expect(RunningRelay.start({ SOUNDFERRY_DATA: folder })).rejects.toThrow(
    `${join(folder, "relay.lock")}: The file system is read-only. Mount it for writing`,
  );
});
