import type { PackageAudioJson } from "./audio-schema.ts";
import type { LayoutJson, TrackJson } from "./layout-json.ts";

/** A package's layout with its audio. */
export interface LayoutWithAudio {
  readonly layout: LayoutJson;
  readonly audio: PackageAudioJson;
}

/**
 * Returns the accepted sounds under the ids that they have now (rule B3). Sounds without ids of their own are numbered
 * by their place, so that each one behind a removed sound would be compared with another sound. Ids of a manifest stay.
 */
export function matchSounds(accepted: LayoutWithAudio, now: LayoutWithAudio): LayoutWithAudio {
  const areNumbered = [accepted, now].every(({ layout }) =>
    layout.tracks.every(({ id }, index) => id === String(index + 1)),
  );
  if (!areNumbered) return accepted;
  const newIds = pairIds(accepted, now);
  const taken = new Set(newIds.values());
  const idOf = (id: string): string => {
    const newId = newIds.get(id);
    if (newId !== undefined) return newId;
    const isFree = !taken.has(id) && now.layout.tracks.every((track) => track.id !== id);
    return isFree ? id : `${id} (accepted)`;
  };
  const ids = new Set(accepted.layout.tracks.map(({ id }) => id));
  return {
    layout: {
      ...accepted.layout,
      tracks: accepted.layout.tracks.map((track) => ({ ...track, id: idOf(track.id) })),
      warnings: accepted.layout.warnings.map((warning) =>
        warning.sound === undefined || !ids.has(warning.sound)
          ? warning
          : { ...warning, sound: idOf(warning.sound) },
      ),
    },
    audio: {
      ...accepted.audio,
      sounds: accepted.audio.sounds.map((sound) => ({ ...sound, id: idOf(sound.id) })),
    },
  };
}

/** The marks of a sound. `file` and `sha256` are undefined for one that couldn't be used. */
interface Identity {
  readonly id: string;
  readonly name: string;
  readonly file: string | undefined;
  readonly sha256: string | undefined;
}

/** The ways to recognize a sound, the surest first. A sound keeps its place if anything else about it stayed. */
const WAYS: readonly ((one: Identity, other: Identity) => boolean)[] = [
  (one, other) => one.name === other.name && one.file === other.file,
  (one, other) => one.id === other.id && (one.name === other.name || isSameFile(one, other)),
  (one, other) => one.name === other.name,
  isSameFile,
  (one, other) => one.id === other.id,
];

function isSameFile(one: Identity, other: Identity): boolean {
  const isSame = (mark: "file" | "sha256"): boolean =>
    one[mark] !== undefined && one[mark] === other[mark];
  return isSame("file") || isSame("sha256");
}

/** Returns the current id of each accepted sound that is still there. */
function pairIds(accepted: LayoutWithAudio, now: LayoutWithAudio): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  let [before, after] = [identitiesOf(accepted), identitiesOf(now)];
  for (const isSame of WAYS) {
    for (const was of before) {
      const is = after.find((one) => isSame(was, one));
      if (is === undefined) continue;
      ids.set(was.id, is.id);
      after = after.filter((one) => one !== is);
    }
    before = before.filter(({ id }) => !ids.has(id));
  }
  return ids;
}

function identitiesOf({ layout, audio }: LayoutWithAudio): readonly Identity[] {
  const sounds = new Map(audio.sounds.map((sound) => [sound.id, sound]));
  return layout.tracks.map(({ id, clip }: TrackJson) => {
    const sound = sounds.get(id);
    return { id, name: clip, file: sound?.file, sha256: sound?.sha256 };
  });
}
