import { formatNumber } from "../../../../core/text/format-number.ts";
import {
  clipSettingSteps,
  cutSounds,
  dropLoopSettings,
  makeClips,
  settleWarp,
} from "./make-clips.ts";
import { removeCopy } from "./gained-copy.ts";
import { isHeardWrong, type SetTempo } from "./tempo.ts";
import type { LiveSound, PlayedFile } from "./live-sound.ts";
import { readIfAny } from "./live-values.ts";
import { readClipTempo } from "./read-back.ts";
import { bringFile, tryGainedCopy } from "./sound-file.ts";
import { type LiveRun, runInTransaction } from "./run-in-transaction.ts";
import { gainLeftOver } from "./volume.ts";

// A Live clip's file and detected tempo can't be changed: the clip is made again.

/** Applies gains to copies of the files where Live refused to set the volume (rule H5). */
export async function bakeRefusedGains(run: LiveRun, sounds: readonly LiveSound[]): Promise<void> {
  for (const sound of sounds) {
    const gainDb = await gainLeftOver(sound);
    run.signal.throwIfAborted();
    if (gainDb === undefined) continue;
    const copy = await tryGainedCopy(run, sound, gainDb);
    if (copy !== undefined) await makeClipAgain(run, sound, await bringFile(run, sound, copy));
    run.signal.throwIfAborted();
  }
}

/** Makes clips again without start and end where Live misread those. */
export async function makeCutClipsAgain(run: LiveRun, sounds: readonly LiveSound[]): Promise<void> {
  const cut = cutSounds(sounds);
  const emptied = await removeClips(run, cut);
  for (const sound of emptied) dropLoopSettings(sound);
  await makeClips(run, emptied);
  await applySettings(run, emptied);
}

/**
 * Makes clips with a wrongly detected tempo again while the Set has the right one, then restores the Set's
 * tempo (rule H6). The Set's tempo changes once for each tempo.
 */
export async function correctTempi(
  run: LiveRun,
  sounds: readonly LiveSound[],
  setTempo: SetTempo,
): Promise<void> {
  const ownBpm = setTempo.read();
  const heardBpm = new Map(sounds.map((sound) => [sound, readHeardTempo(sound)]));
  const heardWrong = sounds.filter((sound) => isHeardWrong(sound.plan, heardBpm.get(sound)));
  if (ownBpm === undefined || heardWrong.length === 0) return;
  let emptied: readonly LiveSound[] | undefined;
  for (const [tempoBpm, group] of Map.groupBy(heardWrong, ({ plan }) => plan.tempoBpm ?? 0)) {
    const problem = await setTempo.set(tempoBpm);
    run.signal.throwIfAborted();
    if (problem !== undefined) for (const { notes } of group) notes.push(problem);
    if (problem !== undefined && emptied === undefined) continue;
    emptied ??= await removeClips(run, heardWrong);
    const wanted = group.filter((sound) => emptied?.includes(sound));
    await makeClips(run, wanted);
    run.signal.throwIfAborted();
    if (problem !== undefined) continue;
    for (const sound of wanted) noteAgain(sound, heardBpm.get(sound) ?? 0, tempoBpm);
  }
  const problem = await setTempo.set(ownBpm);
  run.signal.throwIfAborted();
  if (problem !== undefined) for (const { notes } of heardWrong) notes.push(problem);
  await applySettings(run, emptied ?? []);
}

function noteAgain({ notes }: LiveSound, heardBpm: number, tempoBpm: number): void {
  const [heard, wanted] = [formatNumber(heardBpm), formatNumber(tempoBpm)];
  notes.push(
    `Live detected ${heard} BPM, so the clip was recreated with the Set at ${wanted} BPM.`,
  );
}

function readHeardTempo(sound: LiveSound): number | undefined {
  return readIfAny(() => readClipTempo(sound.clip));
}

/** Replaces a sound's clip by one with another file; adds a note if Live refuses to remove the clip. */
async function makeClipAgain(run: LiveRun, sound: LiveSound, file: PlayedFile): Promise<void> {
  const { file: before } = sound;
  sound.file = file;
  const isRemoved = (await removeClips(run, [sound])).length > 0;
  if (isRemoved) {
    await makeClips(run, [sound]);
    await applySettings(run, [sound]);
  } else {
    sound.file = before;
  }
  const unplayed = isRemoved ? before : file;
  if (file !== before && unplayed.kind === "gained copy") await removeCopy(unplayed.path);
}

/** Removes clips; returns the sounds whose slot is empty then. The others get a note. */
async function removeClips(
  run: LiveRun,
  sounds: readonly LiveSound[],
): Promise<readonly LiveSound[]> {
  const emptied = new Set<LiveSound>();
  const steps = sounds.map((sound) => ({
    label: `remove the clip ${sound.plan.clipName}`,
    act: async () => {
      await sound.slot.deleteClip();
      emptied.add(sound);
    },
    refused: ({ message }: Error) => sound.notes.push(message),
  }));
  await runInTransaction(run, steps);
  return sounds.filter((sound) => emptied.has(sound));
}

async function applySettings(run: LiveRun, sounds: readonly LiveSound[]): Promise<void> {
  const made = sounds.filter(({ error }) => error === undefined);
  await runInTransaction(run, made.flatMap(clipSettingSteps));
  await settleWarp(run, made);
}
