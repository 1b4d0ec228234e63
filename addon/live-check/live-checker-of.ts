import { realpath, rm, writeFile } from "node:fs/promises";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import type { LiveChecker } from "../hosts/live-setup.ts";
import { findControlSurface } from "../hosts/live/remote-script/find-control-surface.ts";
import { namesHere } from "./hide-private.ts";
import { runCheck } from "./run-check.ts";
import { makeFolder } from "../../program/make-folder.ts";
import { CHECK_NAME, type CheckSounds, LONG_SECONDS, LOOP_SECONDS } from "./check.ts";

/** The time for a login: a menu may still be open in Live. */
const PATIENCE_MS = 10_000;

/** Builds the check of Live through its control surface (rule H21). */
export function liveCheckerOf({
  folders,
  soundsFolder,
}: {
  /** Folders in which the control surface may write its port file, in order of preference. */
  readonly folders: readonly string[];
  readonly soundsFolder: string;
}): LiveChecker {
  return async (talk) => {
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
        return await runCheck({ ...talk, client, sounds, names: namesHere() });
      } finally {
        await remove();
      }
    } finally {
      client.close();
    }
  };
}

const RATE = 44_100;
const HEADER_BYTES = 44;
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
  const sounds = { loop: pathOf("loop"), long: pathOf("long"), broken: pathOf("broken") };
  await writeFile(sounds.loop, clicks(LOOP_SECONDS));
  await writeFile(sounds.long, clicks(LONG_SECONDS));
  await writeFile(sounds.broken, "This is not audio.");
  return { sounds, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Builds a mono WAV with a click on each beat, so that Live detects the tempo. */
function clicks(seconds: number): Buffer {
  const frames = seconds * RATE;
  const bytes = Buffer.alloc(HEADER_BYTES + frames * 2);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(RATE, 24);
  bytes.writeUInt32LE(RATE * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36, "latin1");
  bytes.writeUInt32LE(frames * 2, 40);
  for (let beat = 0; beat < frames; beat += FRAMES_A_BEAT) {
    for (let frame = 0; frame < CLICK_FRAMES; frame += 1) {
      const level = 12_000 * Math.sin(frame / 4) * (1 - frame / CLICK_FRAMES);
      bytes.writeInt16LE(Math.round(level), HEADER_BYTES + 2 * (beat + frame));
    }
  }
  return bytes;
}
