import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { startOnMemory } from "../memory-relay.ts";
import { RunningRelay } from "../running-relay.ts";
import { applyChange, type Change } from "./apply-change.ts";

const PROCESS = join(import.meta.dirname, "changing-process.ts");

/** A relay, and another process on its store. */
export interface TwoProcesses extends AsyncDisposable {
  readonly relay: RunningRelay;
  /** Resolves once the other process has made the change. */
  readonly change: (change: Change) => Promise<void>;
}

/** Two instances of the memory store. */
export async function twoOnMemory(): Promise<TwoProcesses> {
  const { relay, other } = await startOnMemory();
  return {
    relay,
    change: async (change) => void (await applyChange(other, change)),
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
}

/** Two real processes on one data folder. */
export async function twoOnSqlite(): Promise<TwoProcesses> {
  const relay = await RunningRelay.start();
  const child = fork(PROCESS, [relay.folder]);
  await once(child, "message");
  return {
    relay,
    change: async (change) => {
      child.send(change);
      await once(child, "message");
    },
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
      await relay[Symbol.asyncDispose]();
    },
  };
}
