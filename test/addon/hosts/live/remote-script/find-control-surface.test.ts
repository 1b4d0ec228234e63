import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  findControlSurface,
  lookAtControlSurface,
  PORT_FILE,
} from "../../../../../addon/hosts/live/remote-script/find-control-surface.ts";
import { VERSION } from "../../../../../core/version.ts";
import { ManualTimers } from "../../../manual-timers.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { until } from "../../../../sim/until.ts";
import { StandInSurface } from "./stand-in-surface.ts";

test("[H12] finds the control surface in any of the folders and says which Live it is", async () => {
  const [nowhere, folder] = [await temporaryFolder(), await temporaryFolder()];
  await StandInSurface.start(folder, { edition: "Lite" });
  expect(await lookAtControlSurface([join(nowhere, "not there"), nowhere, folder])).toEqual({
    kind: "answers",
    version: VERSION,
    live: "12.1.5",
    edition: "Lite",
    makesClips: true,
    lives: 1,
    isNewest: true,
  });
});

test("[H12] is absent without a file, and with a file that makes no sense", async () => {
  const folder = await temporaryFolder();
  expect(await lookAtControlSurface([folder])).toEqual({ kind: "absent" });
  for (const text of ["", "{}", '{"port": 1}', '{"port": 70000, "secret": "00"}', "[]"]) {
    await writeFile(join(folder, PORT_FILE), text);
    expect(await lookAtControlSurface([folder])).toEqual({ kind: "absent" });
  }
});

test("[H12] a file that a crash left is stale, whatever has its port now", async () => {
  const folder = await temporaryFolder();
  const surface = await StandInSurface.start(folder);
  surface.kill();
  expect(await lookAtControlSurface([folder])).toEqual({ kind: "stale" });

  const stranger = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  await new Promise<void>((resolve) => {
    stranger.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void stranger.close());
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a TCP server
  const { port } = stranger.address() as AddressInfo;
  await writeFile(join(folder, PORT_FILE), JSON.stringify({ port, secret: "a".repeat(64) }));
  expect(await lookAtControlSurface([folder])).toEqual({ kind: "stale" });
});

test("[H12] one that doesn't prove to know the file's secret is never asked anything", async () => {
  const folder = await temporaryFolder();
  const surface = await StandInSurface.start(folder, { forged: true });
  expect(await lookAtControlSurface([folder])).toEqual({ kind: "stale" });
  expect(surface.requests).toEqual([]);
});

test("[H12] a stale file doesn't hide a control surface that answers", async () => {
  const [old, folder] = [await temporaryFolder(), await temporaryFolder()];
  (await StandInSurface.start(old)).kill();
  await StandInSurface.start(folder);
  expect(await lookAtControlSurface([old, folder])).toMatchObject({ kind: "answers" });
});

test("[H12] another release says to install and to restart Live", async () => {
  for (const other of [{ version: "0.0.1" }, { protocol: 2 }]) {
    const folder = await temporaryFolder();
    await StandInSurface.start(folder, other);
    const finding = findControlSurface({ folders: [folder], soundFolders: [], patienceMs: 900 });
    await expect(finding).rejects.toThrow(/`soundferry live install`, then restart Live/);
    expect(await lookAtControlSurface([folder])).toEqual({ kind: "stale" });
  }
});

test("[H12] a login has a deadline, and can be called off", async () => {
  const folder = await temporaryFolder();
  await StandInSurface.start(folder, { silent: true });
  const timers = new ManualTimers();
  const options = { folders: [folder], soundFolders: [], patienceMs: 900, timers };
  const finding = findControlSurface(options).catch((error: unknown) => error);
  await until(() => timers.remaining.length > 0);
  timers.advance(900);
  expect(await finding).toMatchObject({ name: "UnreachableError", reason: "silent" });
  const callOff = new AbortController();
  const other = findControlSurface({ ...options, signal: callOff.signal });
  const outcome = expect(other).rejects.toThrow("called off");
  callOff.abort(new Error("called off"));
  await outcome;
});
