import { isJsonObject } from "../../../core/json-object.ts";
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

/** The place below a scene, or below the scene of a clip slot; undefined where the Set has no such thing. */
export function findScenePlace(song: LiveSong, sceneOrSlot: unknown): HostPlace | undefined {
  if (!isJsonObject(sceneOrSlot)) return undefined;
  const scenes = readList(() => song.scenes);
  const isSlot = "createAudioClip" in sceneOrSlot;
  const scene = scenes[isSlot ? rowOf(song, sceneOrSlot) : placeIn(scenes, sceneOrSlot)];
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
