import { Buffer } from "node:buffer";
import { realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CHECK_NAME, type CheckSounds, LONG_SECONDS, LOOP_SECONDS } from "./check.ts";
import { makeFolder } from "../../program/make-folder.ts";

const RATE = 44_100;
const HEADER_BYTES = 44;
const CLICK_FRAMES = 400;
/** At 120 BPM. */
const FRAMES_A_BEAT = RATE / 2;

/** The check's own sounds in a folder of their own; `remove` takes it away, with what Live put beside them. */
export interface CheckFolder {
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

/** A mono WAV with a click on each beat, so that Live hears the tempo. */
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
