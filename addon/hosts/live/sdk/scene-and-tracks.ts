import type { HostPlace, HostStepError } from "../../host.ts";
import type { LiveSong } from "./live-api.ts";
import type { LiveSound } from "./live-sound.ts";
import { placeIn, readList } from "./live-values.ts";
import type { MadeInSet } from "./made-in-set.ts";
import { indexOfPlace } from "./scene-place.ts";
import { type LiveRun, type LiveStep, runInTransaction } from "./run-in-transaction.ts";

export interface SceneOptions {
  readonly name: string;
  readonly after: HostPlace | undefined;
}

/**
 * Makes the scene and a track per sound as one undo step, and assigns the tracks from left to right
 * (rule H1).
 * @throws {HostStepError} when Live refuses one of them; `made` lists the others
 */
export async function makeSceneAndTracks(
  run: LiveRun,
  made: MadeInSet,
  sounds: readonly LiveSound[],
  { name, after }: SceneOptions,
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
 * Sorts objects by their order in the Set.
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
