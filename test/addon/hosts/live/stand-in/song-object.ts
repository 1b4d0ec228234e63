import type {
  LiveScene,
  LiveSong,
  LiveTrack,
} from "../../../../../addon/hosts/live/sdk/live-api.ts";
import type { SetClip } from "./live-set.ts";
import { type LiveWorld, withDeadline } from "./live-world.ts";
import { sceneObject, trackObject } from "./track-objects.ts";

/** A clip that nobody asked for, in a track that comes with one. */
const TEMPLATE: SetClip = {
  id: 0n,
  name: "Template",
  color: 0xffffff,
  looping: false,
  warping: false,
  warpMode: 0,
  startMarker: 0,
  endMarker: 1,
  loopStart: 0,
  loopEnd: 1,
  filePath: "/template.wav",
  fileSeconds: 1,
  heardBpm: 120,
  markers: [{ seconds: 0, beats: 0 }],
};

/** The song of a Set. */
export function songObject(world: LiveWorld): LiveSong {
  const { set, calls } = world;
  return {
    get tracks() {
      world.countRead();
      return set.tracks.map((track) => trackObject(world, track));
    },
    get scenes() {
      world.countRead();
      return set.scenes.map((scene) => sceneObject(world, scene));
    },
    get tempo() {
      world.countRead();
      return world.number(set.tempoBpm);
    },
    set tempo(value) {
      calls.setting(`tempo = ${value}`, () => {
        set.tempoBpm = withDeadline(value, 20, 999);
      });
    },
    createScene: (index) => calls.promise("createScene", () => createScene(world, index)),
    createAudioTrack: () => calls.promise("createAudioTrack", () => createAudioTrack(world)),
    deleteTrack: (track) =>
      calls.promise(`deleteTrack ${nameOf(track)}`, () => remove(world, set.tracks, track)),
    deleteScene: (scene) =>
      calls.promise(`deleteScene ${nameOf(scene)}`, () => remove(world, set.scenes, scene)),
  };
}

function createScene(world: LiveWorld, index: number): LiveScene {
  const { set } = world;
  const last = set.scenes.length;
  return sceneObject(world, set.addScene(index === -1 ? last : withDeadline(index, 0, last)));
}

function createAudioTrack(world: LiveWorld): LiveTrack {
  const { set, habits } = world;
  const last = set.tracks.length;
  const { selectedTrack, occupiedTracks } = habits;
  const index = selectedTrack === null ? last : Math.min(selectedTrack + 1, last);
  const ordinal = last - habits.firstTracks.length;
  const template = occupiedTracks.includes(ordinal) ? TEMPLATE : null;
  return trackObject(world, set.addTrack(index, "audio", template));
}

function remove(
  world: LiveWorld,
  things: readonly Parameters<LiveWorld["set"]["remove"]>[0][],
  object: LiveScene | LiveTrack,
): void {
  const known = world.thingOf(object);
  const thing = things.find((each) => each === known);
  if (thing === undefined) throw new Error("It is not in the Set.");
  world.set.remove(thing);
}

function nameOf(object: LiveScene | LiveTrack): string {
  try {
    return object.name;
  } catch {
    return "of a dead object";
  }
}
