import type { HostPlace, HostStepError } from "../../host.ts";
import type { LiveScene, LiveSong, LiveTrack } from "./live-api.ts";
import type { LiveSound } from "./live-sound.ts";
import { placeIn, readIfAny, readList } from "./live-values.ts";
import type { MadeInSet } from "./made-in-set.ts";
import { type LiveRun, type LiveStep, runInTransaction } from "./run-in-transaction.ts";
import { isJsonObject } from "../../../../core/text/json-object.ts";

/**
 * Makes the scene and a track per sound as one undo step, and assigns the tracks from left to right
 * (rule H1).
 * @throws {HostStepError} when Live refuses one of them; `made` lists the others
 */
export async function makeSceneAndTracks(
  run: LiveRun,
  made: MadeInSet,
  sounds: readonly LiveSound[],
  { name, after }: { readonly name: string; readonly after: HostPlace | undefined },
): Promise<void> {
  const { song } = run.live.application;
  const failures: HostStepError[] = [];
  const refused = (error: HostStepError) => failures.push(error);
  const index = indexOfPlace(song, after);
  const makeScene: LiveStep = {
    label: `make the scene ${name}`,
    act: async () => {
      made.scene = await song.createScene(index);
    },
    refused,
  };
  const makeTracks = sounds.map((sound) => ({
    label: `make the track ${sound.plan.trackName}`,
    act: async () => {
      const track = await song.createAudioTrack();
      made.tracks.add(track);
      sound.putOn(track);
    },
    refused,
  }));
  await runInTransaction(run, [makeScene, ...makeTracks]);
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  const findRow = rowFinder(song, made, index);
  const all = readList(() => song.tracks);
  const tracks = inSetOrder(
    sounds.map(({ track }) => track),
    all,
  );
  for (const [place, sound] of sounds.entries()) {
    sound.putOn(tracks[place] ?? sound.track, findRow);
    sound.isFindable = placeIn(all, sound.track) !== -1;
  }
}

/**
 * Sorts new objects by their order in the Set.
 * @param made in the order of their creation, which stays where Live can't identify them
 * @param all everything in the Set
 */
export function inSetOrder<Thing extends object>(
  made: readonly Thing[],
  all: readonly Thing[],
): readonly Thing[] {
  const places = new Map(made.map((thing) => [thing, placeIn(all, thing)]));
  const placeOf = (thing: Thing) => places.get(thing) ?? -1;
  if (made.some((thing) => placeOf(thing) === -1)) return made;
  return made.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/**
 * Returns a function that finds the new scene's current index, which a person may change; -1 where it
 * is gone. Where Live can't identify scenes, it returns the index at creation.
 */
function rowFinder(song: LiveSong, { scene }: MadeInSet, index: number): () => number {
  const scenes = readList(() => song.scenes);
  const expected = index === -1 ? scenes.length - 1 : index;
  if (scene === undefined || placeIn(scenes, scene) === -1) return () => expected;
  const read = () => song.scenes;
  return () => placeIn(readList(read), scene);
}

/** The place right below a scene, for a new scene. */
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

/** Returns a slot's row. Asks the slot for its track first: a walk through all tracks of a large Set takes seconds. */
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
