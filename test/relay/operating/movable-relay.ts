import { onTestFinished } from "vitest";
import { RunningRelay } from "../running-relay.ts";
import { emptyFolder } from "./backed-up-relay.ts";
import { moveBetween, relayToMove } from "./moving-relay.ts";

/** Starts a relay on a folder. It stops with the test. */
export async function startOn(folder: string): Promise<RunningRelay> {
  const relay = await RunningRelay.start({ SOUNDFERRY_DATA: folder });
  onTestFinished(() => relay.stop());
  return relay;
}

/** A relay, an empty folder, and a move from one to the other. */
export async function movable() {
  const moved = await relayToMove();
  const folder = await emptyFolder();
  const move = (options: Parameters<typeof moveBetween>[2] = {}) =>
    moveBetween({ dataFolder: moved.folder }, { dataFolder: folder }, options);
  return { ...moved, from: moved.folder, to: folder, move };
}
