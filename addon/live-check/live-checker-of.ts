import { wavHeaderBytes } from "../../core/audio/wav-header.ts";
import { realpath, rm, writeFile } from "node:fs/promises";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import type { LiveChecker } from "../hosts/live-setup.ts";
import { findControlSurface } from "../hosts/live/remote-script/find-control-surface.ts";
import { namesHere } from "./hide-private.ts";
import { runCheck } from "./run-check.ts";
import { DiskError, formatMissingDrive } from "../disk/disk-error.ts";
import { isAway, KNOWN_FOLDERS_FILE } from "../disk/known-folders.ts";
import { makeFolder } from "../../program/make-folder.ts";
import {
  CHECK_NAME,
  type CheckSounds,
  LONG_SECONDS,
  LOOP_SECONDS,
  MINUTES_SECONDS,
} from "./check.ts";
import { findInLog } from "./check-log.ts";

/** The time for a login: a menu may still be open in Live. */
const PATIENCE_MS = 10_000;

/** Builds the check of Live through its control surface (rule H21). */
export function buildLiveChecker({
  folders,
  soundsFolder,
  findLog = async () => undefined,
}: {
  /** Folders in which the control surface may write its port file, in order of preference. */
  readonly folders: readonly string[];
  readonly soundsFolder: string;
  /** Returns the path of Live's log; absent where it can't be read, as in the extension. */
  readonly findLog?: () => Promise<string | undefined>;
}): LiveChecker {
  const readLog = async () => findInLog(await findLog());
  return async (talk) => {
    const known = folders.map((folder) => isAway(soundsFolder, join(folder, KNOWN_FOLDERS_FILE)));
    if ((await Promise.all(known)).includes(true))
      throw new DiskError(formatMissingDrive(soundsFolder));
    await makeFolder(soundsFolder);
    const client = await findControlSurface({
      folders,
      soundFolders: [await realpath(soundsFolder)],
      patienceMs: PATIENCE_MS,
      signal: talk.signal,
    });
    try {
      const { sounds, remove } = await writeCheckSounds(soundsFolder);
      try {
        return await runCheck({ ...talk, client, sounds, names: namesHere(), readLog });
      } finally {
        await remove();
      }
    } finally {
      client.close();
    }
  };
}

const RATE = 44_100;
const FORMAT = { encoding: "pcm", channels: 1, sampleRateHz: RATE, bitsPerSample: 16 } as const;
const CLICK_FRAMES = 400;
/** The length of a beat at 120 BPM. */
const FRAMES_A_BEAT = RATE / 2;

/** The check's own sounds in a folder of their own; `remove` deletes it, with the files that Live put there. */
interface CheckFolder {
  readonly sounds: CheckSounds;
  readonly remove: () => Promise<void>;
}

/** Writes the check's sounds below the sounds folder. */
export async function writeCheckSounds(soundsFolder: string): Promise<CheckFolder> {
  const made = join(soundsFolder, CHECK_NAME);
  await makeFolder(made);
  const folder = await realpath(made);
  const pathOf = (name: string) => join(folder, `${CHECK_NAME} ${name}.wav`);
  const sounds = {
    loop: pathOf("loop"),
    long: pathOf("long"),
    minutes: pathOf("minutes"),
    broken: pathOf("broken"),
  };
  await writeFile(sounds.loop, clicks(LOOP_SECONDS));
  await writeFile(sounds.long, clicks(LONG_SECONDS));
  await writeFile(sounds.minutes, clicks(MINUTES_SECONDS));
  await writeFile(sounds.broken, "This is not audio.");
  return { sounds, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Builds a mono WAV with a click on each beat, so that Live detects the tempo. */
function clicks(seconds: number): Buffer {
  const frames = seconds * RATE;
  const header = wavHeaderBytes(FORMAT, frames);
  const bytes = Buffer.concat([header, Buffer.alloc(frames * 2)]);
  for (let beat = 0; beat < frames; beat += FRAMES_A_BEAT) {
    for (let frame = 0; frame < CLICK_FRAMES; frame += 1) {
      const level = 12_000 * Math.sin(frame / 4) * (1 - frame / CLICK_FRAMES);
      bytes.writeInt16LE(Math.round(level), header.length + 2 * (beat + frame));
    }
  }
  return bytes;
}
