import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type {
  LiveClip,
  LiveTrack,
  NewLiveClip,
} from "../../../../../addon/hosts/live/sdk/live-api.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { smallWav } from "../../../../wav-bytes.ts";
import { StandInLive, type StandInOptions } from "./stand-in-live.ts";

/** 8 beats at 120 BPM. */
const FOUR_SECONDS = { frames: 32_000, sampleRateHz: 8000 };
export const LOOP = { looping: true, startMarker: 0, endMarker: 8, loopStart: 0, loopEnd: 8 };

/** A stand-in Live with a WAV next to it. */
export async function openLive(options: StandInOptions = {}) {
  const folder = await temporaryFolder();
  const live = new StandInLive(folder, options);
  const wav = join(folder, "Beat.wav");
  await writeFile(wav, smallWav(FOUR_SECONDS));
  const { context } = live;
  return { live, folder, wav, context, song: context.application.song };
}

export type OpenLive = Awaited<ReturnType<typeof openLive>>;

/** A clip in the first scene's slot of a new track. */
export async function clipIn(
  { song, wav }: OpenLive,
  more: Partial<NewLiveClip> = {},
): Promise<LiveClip> {
  const track = await song.createAudioTrack();
  return slotOf(track).createAudioClip({
    filePath: wav,
    isWarped: true,
    loopSettings: LOOP,
    ...more,
  });
}

/** The slot of the first scene. */
export function slotOf(track: LiveTrack | undefined) {
  const slot = track?.clipSlots[0];
  if (slot === undefined) throw new Error("There is no slot.");
  return slot;
}

/** The second track. */
export function trackOf({ song }: OpenLive): LiveTrack {
  const track = song.tracks[1];
  if (track === undefined) throw new Error("There is no track.");
  return track;
}

/** Returns the reason of a promise's rejection, in a list, so that `undefined` counts. */
export function rejection(promise: Promise<unknown>): Promise<readonly unknown[]> {
  return promise.then(
    () => [],
    (error: unknown) => [error],
  );
}
