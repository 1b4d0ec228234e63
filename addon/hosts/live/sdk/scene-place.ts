import { isJsonObject } from "../../../../core/text/json-object.ts";
import type { HostPlace } from "../../host.ts";
import type { LiveScene, LiveSong, LiveTrack } from "./live-api.ts";
import { placeIn, readIfAny, readList } from "./live-values.ts";

/** The place right below a scene. */
class ScenePlace {
  readonly scene: LiveScene;

  constructor(scene: LiveScene) {
    this.scene = scene;
  }
}

/** Returns the place below the lowest of scenes and clip slots; undefined where the Set has none of them. */
export function findScenePlace(
  song: LiveSong,
  scenesOrSlots: readonly unknown[],
): HostPlace | undefined {
  const scenes = readList(() => song.scenes);
  const rows = scenesOrSlots.map((thing) => {
    if (!isJsonObject(thing)) return -1;
    return "createAudioClip" in thing ? rowOf(song, thing) : placeIn(scenes, thing);
  });
  const scene = scenes[Math.max(-1, ...rows)];
  return scene === undefined ? undefined : new ScenePlace(scene);
}

/** Returns the new scene's index for Live, where -1 is the end. Scenes may have changed since the place was found. */
export function indexOfPlace(song: LiveSong, place: HostPlace | undefined): number {
  if (!(place instanceof ScenePlace)) return -1;
  const scenes = readList(() => song.scenes);
  const index = placeIn(scenes, place.scene) + 1;
  return index === 0 || index === scenes.length ? -1 : index;
}

/** Asks the slot for its track: a walk through all tracks of a large Set takes seconds. */
function rowOf(song: LiveSong, slot: object): number {
  const parent = readIfAny(() => ("parent" in slot ? slot.parent : undefined));
  const row = isTrack(parent) ? rowOn(parent, slot) : -1;
  if (row !== -1) return row;
  for (const track of readList(() => song.tracks)) {
    const other = rowOn(track, slot);
    if (other !== -1) return other;
  }
  return -1;
}

function rowOn(track: Pick<LiveTrack, "clipSlots">, slot: object): number {
  const slots = readList(() => track.clipSlots);
  return placeIn(slots, slot);
}

function isTrack(thing: unknown): thing is LiveTrack {
  return isJsonObject(thing) && "clipSlots" in thing;
}
