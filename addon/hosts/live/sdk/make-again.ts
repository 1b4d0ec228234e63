import { formatNumber } from "../../../../core/text/format-number.ts";
import { clipSettingSteps, newClipStep } from "./clip-steps.ts";
import { removeCopy } from "./gained-copy.ts";
import { isHeardWrong } from "./heard-tempo.ts";
import type { LiveSound, PlayedFile } from "./live-sound.ts";
import { readIfAny } from "./live-values.ts";
import { readClipTempo } from "./read-back.ts";
import type { SetTempo } from "./set-tempo.ts";
import { bringFile, tryGainedCopy } from "./sound-file.ts";
import { type LiveRun, runInTransaction } from "./run-in-transaction.ts";
import { gainLeftOver } from "./track-volume.ts";

// A Live clip's file and detected tempo can't be changed: the clip is made again.

/** Applies gains in copies of the files where Live refused to set the volume (rule H5). */
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

/** Makes clips with a wrongly detected tempo again while the Set has the right one, then restores the Set's (rule H6). */
export async function correctTempi(
  run: LiveRun,
  sounds: readonly LiveSound[],
  setTempo: SetTempo,
): Promise<void> {
  const ownBpm = setTempo.read();
  const heardWrong = sounds.filter((sound) => isHeardWrong(sound.plan, readHeardTempo(sound)));
  if (ownBpm === undefined || heardWrong.length === 0) return;
  for (const [tempoBpm, group] of Map.groupBy(heardWrong, ({ plan }) => plan.tempoBpm ?? 0)) {
    const problem = await setTempo.set(tempoBpm);
    run.signal.throwIfAborted();
    for (const sound of group) {
      if (problem === undefined) await makeClipAgainAt(run, sound, tempoBpm);
      else sound.notes.push(problem);
      run.signal.throwIfAborted();
    }
  }
  const problem = await setTempo.set(ownBpm);
  run.signal.throwIfAborted();
  if (problem !== undefined) for (const { notes } of heardWrong) notes.push(problem);
}

async function makeClipAgainAt(run: LiveRun, sound: LiveSound, tempoBpm: number): Promise<void> {
  const [heard, wanted] = [formatNumber(readHeardTempo(sound) ?? 0), formatNumber(tempoBpm)];
  if (!(await makeClipAgain(run, sound, sound.file))) return;
  sound.notes.push(
    `Live detected ${heard} BPM, so the clip was recreated with the Set at ${wanted} BPM.`,
  );
}

function readHeardTempo(sound: LiveSound): number | undefined {
  return readIfAny(() => readClipTempo(sound.clip));
}

/** Replaces a sound's clip by one with that file; returns false, with a note, if Live refuses to remove it. */
async function makeClipAgain(run: LiveRun, sound: LiveSound, file: PlayedFile): Promise<boolean> {
  const { file: before, notes, plan } = sound;
  let isRemoved = false;
  sound.file = file;
  await runInTransaction(run, [
    {
      label: `remove the clip ${plan.clipName}`,
      act: async () => {
        await sound.slot.deleteClip();
        isRemoved = true;
      },
      refused: ({ message }) => notes.push(message),
    },
  ]);
  if (isRemoved) {
    await runInTransaction(run, [newClipStep(sound)]);
    if (sound.error === undefined) await runInTransaction(run, clipSettingSteps(sound));
  } else {
    sound.file = before;
  }
  const unplayed = isRemoved ? before : file;
  if (file !== before && unplayed.kind === "gained copy") await removeCopy(unplayed.path);
  return isRemoved;
}
