import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { smallWav } from "../../../../wav-bytes.ts";
import type { FakeHabits } from "./fake-live-habits.ts";
import type { FakeSetGiven } from "./fake-live-set.ts";
import { type FakeLive, type FakeLiveOptions, openFakeLive } from "./fake-live.ts";

/** 8 beats at 120 BPM. */
const FOUR_SECONDS = { frames: 32_000, sampleRateHz: 8000 };
const HERE = import.meta.dirname;

export interface ProbeOptions {
  readonly habits?: Partial<FakeHabits>;
  readonly set?: FakeSetGiven;
  readonly seconds?: number;
  /** Text of the file beside the sound that holds its saved settings. */
  readonly asd?: string;
}

/** An audio clip in the first slot of a second track, and names for it that outlive a tick. */
export const CLIP = `
import types
song().tracks[1].clip_slots[0].create_audio_clip(sound)
def clip(): return song().tracks[1].clip_slots[0].clip
def markers(): return [[m.sample_time, m.beat_time] for m in clip().warp_markers]
def ends(): return [clip().loop_start, clip().loop_end, clip().start_marker, clip().end_marker]
`;

/** The part of a fresh clip that most tests need: one marker at the file's start, a loop of 8 beats at 120 BPM. */
export const SHORT_LOOP = { fresh: "short loop", guess: 120 } as const;

/**
 * Runs lines of Python in a fake Live, one text in each tick.
 * Returns what they said, the log, and the Set afterwards.
 */
export async function probe(ticks: readonly string[], options: ProbeOptions = {}) {
  await using live = await openProbe(ticks, options);
  await live.tick(ticks.length);
  const [set, log] = [await live.dump(), await live.log()];
  return { set, log, said: saidIn(log) };
}

/** A fake Live before the first of these ticks. */
export async function openProbe(
  ticks: readonly string[],
  { seconds = 4, asd, ...options }: ProbeOptions = {},
): Promise<FakeLive> {
  const sound = await soundFile(seconds);
  if (asd !== undefined) await writeFile(`${sound}.asd`, asd);
  const env = { TICKS: JSON.stringify(ticks), SOUND: sound };
  return openScript("probe-script", { ...options, env });
}

/** A fake Live with one of the scripts beside this file. */
export function openScript(
  name: string,
  options: Omit<FakeLiveOptions, "scriptFolder">,
): Promise<FakeLive> {
  const pythonPath = process.env["TEST_PYTHON"] ?? "python3";
  return openFakeLive({ pythonPath, ...options, scriptFolder: join(HERE, name) });
}

/** A silent WAV; by default with 8 beats at 120 BPM. */
export async function soundFile(seconds = 4): Promise<string> {
  const path = join(await temporaryFolder(), "Beat.wav");
  await writeFile(path, smallWav({ ...FOUR_SECONDS, frames: Math.round(seconds * 8000) }));
  return path;
}

export function saidIn(log: Awaited<ReturnType<FakeLive["log"]>>): unknown[] {
  const said = log.messages.filter(({ kind }) => kind === "log");
  return said.map(({ text }) => JSON.parse(text) as unknown);
}
