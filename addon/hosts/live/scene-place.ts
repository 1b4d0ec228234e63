import { isJsonObject } from "../../../core/text/json-object.ts";
import type { HostPlace } from "../host.ts";
import type { LiveScene, LiveSong } from "./live-api.ts";
import { placeIn, readList } from "./live-values.ts";

/** The scene that a new one goes right below. */
class ScenePlace {
  readonly scene: LiveScene;

  constructor(scene: LiveScene) {
    this.scene = scene;
  }
}

/**
 * The place below a scene, or below the scene of a clip slot; of several, below the lowest.
 * @returns undefined where the Set has none of them
 */
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

/**
 * Where to make the new scene, as Live counts: -1 is the end. Looked up anew, because scenes may have
 * come and gone since the place was found.
 */
export function indexOfPlace(song: LiveSong, place: HostPlace | undefined): number {
  if (!(place instanceof ScenePlace)) return -1;
  const scenes = readList(() => song.scenes);
  const index = placeIn(scenes, place.scene) + 1;
  return index === 0 || index === scenes.length ? -1 : index;
}

function rowOf(song: LiveSong, slot: object): number {
  for (const track of readList(() => song.tracks)) {
    const row = placeIn(
      readList(() => track.clipSlots),
      slot,
    );
    if (row !== -1) return row;
  }
  return -1;
}
