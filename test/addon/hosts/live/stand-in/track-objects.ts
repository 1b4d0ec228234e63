import { basename } from "node:path";
import type {
  LiveClipSlot,
  LiveParameter,
  LiveScene,
  LiveTrack,
} from "../../../../../addon/hosts/live/sdk/live-api.ts";
import { clipObject } from "./clip-object.ts";
import type { SetScene, SetSlot, SetTrack } from "./live-set.ts";
import { type LiveWorld, withDeadline } from "./live-world.ts";
import { makeClip } from "./make-clip.ts";

/** The object for a scene. */
export function sceneObject(world: LiveWorld, scene: SetScene): LiveScene {
  const alive = () => {
    world.countRead();
    world.assertThere(world.set.scenes.includes(scene));
  };
  return world.objectFor(scene, () => ({
    handle: world.handleOf(scene),
    get name() {
      alive();
      return scene.name;
    },
    set name(value) {
      world.calls.setting(`scene.name = ${value}`, () => {
        alive();
        scene.name = value;
      });
    },
  }));
}

/** The object for a track. */
export function trackObject(world: LiveWorld, track: SetTrack): LiveTrack {
  const alive = () => {
    world.countRead();
    world.assertThere(world.set.tracks.includes(track));
  };
  return world.objectFor(track, () => ({
    handle: world.handleOf(track),
    get name() {
      alive();
      return track.name;
    },
    set name(value) {
      world.calls.setting(`track.name = ${value}`, () => {
        alive();
        track.name = value;
      });
    },
    get clipSlots() {
      alive();
      return world.set.slotsOf(track).map((slot) => slotObject(world, slot));
    },
    get mixer() {
      alive();
      return { volume: volumeObject(world, track, alive) };
    },
  }));
}

/** The object for a clip slot. */
export function slotObject(world: LiveWorld, slot: SetSlot): LiveClipSlot {
  const { calls, set, habits } = world;
  const alive = () => {
    world.countRead();
    world.assertThere(set.holdsSlot(slot));
  };
  return world.objectFor(slot, () => ({
    handle: world.handleOf(slot),
    get clip() {
      alive();
      return slot.clip && clipObject(world, slot.clip);
    },
    get parent() {
      alive();
      const track = set.tracks.find((each) => set.slotsOf(each).includes(slot));
      return habits.slotsHaveParents && track ? trackObject(world, track) : undefined;
    },
    createAudioClip: (wanted) =>
      calls.promise(`createAudioClip ${basename(wanted.filePath)}`, () => {
        alive();
        slot.clip = makeClip(slot, wanted, habits, set);
        return clipObject(world, slot.clip);
      }),
    deleteClip: () =>
      calls.promise("deleteClip", () => {
        alive();
        if (slot.clip === null) throw new Error("The slot is empty.");
        slot.clip = null;
      }),
  }));
}

/** A parameter, whose values are 32-bit floats. */
function volumeObject(world: LiveWorld, track: SetTrack, alive: () => void): LiveParameter {
  const { calls } = world;
  return {
    getValue: () =>
      calls.reading(`getValue of ${track.name}`, () => {
        alive();
        return world.number(track.volume);
      }),
    setValue: (value) =>
      calls.promise(`volume = ${value}`, () => {
        alive();
        track.volume = Math.fround(withDeadline(value, 0, 1));
      }),
  };
}
