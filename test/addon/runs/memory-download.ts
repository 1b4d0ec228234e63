import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type DownloadOptions, receiveSound } from "../../../addon/runs/download.ts";
import { smallWav } from "../../wav-bytes.ts";
import { ManualTimers } from "../manual-timers.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Attempt, type MemorySound, MemorySource } from "./memory-source.ts";
import { noise } from "./sound-relay.ts";

export const FILE = "Kick.wav";
/** 4,044 bytes. */
export const SMALL = noise(smallWav({ frames: 2000 }), 1);

/** Downloads one sound from memory, with a hand-driven clock and pauses that are only recorded. */
export async function memoryDownload(wav = SMALL, more: MemorySound["more"] = {}) {
  const path = join(await temporaryFolder(), FILE);
  const source = new MemorySource([{ name: "Kick", wav, more }]);
  const [sound] = source.manifest.items;
  if (sound === undefined) throw new Error("There is no sound.");
  const pauses: number[] = [];
  const timers = new ManualTimers();
  const pause = async (ms: number) => void pauses.push(ms);
  const retryPolicy = { silenceLimitMs: 30_000, timers, pause };
  const seen: number[] = [];
  const signal = new AbortController().signal;
  const onBytes = (bytes: number) => void seen.push(bytes);
  const fetch = (options: Partial<DownloadOptions> = {}) =>
    receiveSound(source, sound, path, { signal, retryPolicy, onBytes, ...options });
  const receive = async (options: Partial<DownloadOptions> = {}) => {
    const received = await fetch(options);
    await received.finish();
    return received.header;
  };
  const failure = () => receive().catch((error: unknown) => error);
  const starts = () => source.starts.get(FILE) ?? [];
  const files = () => readdir(dirname(path));
  const attempt = (...attempts: readonly Attempt[]) => source.attempts.set(FILE, [...attempts]);
  return {
    path,
    pauses,
    timers,
    retryPolicy,
    seen,
    fetch,
    receive,
    failure,
    starts,
    files,
    attempt,
  };
}
