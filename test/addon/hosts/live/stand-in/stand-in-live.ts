import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { LiveContext, LiveScope } from "../../../../../addon/hosts/live/sdk/live-api.ts";
import { LiveCalls } from "./live-calls.ts";
import { type LiveCall, type LiveFaults, type LiveHabits, WORST_HABITS } from "./live-habits.ts";
import { LiveProject } from "./live-project.ts";
import { LiveSet } from "./live-set.ts";
import { StandInUi } from "./live-ui.ts";
import { LiveWorld } from "./live-world.ts";
import { lookAtSet, type SetPicture } from "./look-at-set.ts";
import { songObject } from "./song-object.ts";
import type { UndoStep } from "./undo-steps.ts";
import { sceneObject, slotObject } from "./track-objects.ts";

export type StandInOptions = Partial<LiveHabits> & LiveFaults;

/** The right-clicked objects: places in the Set, from 0. */
export interface MenuTarget {
  readonly scene?: number;
  readonly track?: number;
}

/** A Set as it truly is, with what was done to it. */
export interface LivePicture extends SetPicture {
  readonly undoSteps: readonly UndoStep[];
  /** Names of the samples in the Live project. */
  readonly projectFiles: readonly string[];
}

/**
 * Live with one Set open, as an extension meets it: all that `live-api.ts` describes, as badly behaved
 * as the real one is known or feared to be. Without options it has the worst habits that still let an
 * import come out whole, and nothing fails.
 */
export class StandInLive {
  readonly context: LiveContext;
  readonly ui: StandInUi;
  readonly projectFolder: string;
  readonly storageFolder: string;
  readonly tempFolder: string;
  readonly #folder: string;
  readonly #habits: LiveHabits;
  readonly #set: LiveSet;
  readonly #calls: LiveCalls;
  readonly #project: LiveProject;
  readonly #world: LiveWorld;

  /**
   * @param folder that the Live project and the extension's folders lie in; it exists, and no link leads to it
   * @param options which habits are others, and what goes wrong
   * @param set that is already open, where only the extension restarts
   */
  constructor(folder: string, options: StandInOptions = {}, set?: LiveSet) {
    const habits = habitsOf(options);
    this.#folder = folder;
    this.#habits = habits;
    this.#set = set ?? new LiveSet(habits);
    this.projectFolder = join(folder, "Set Project");
    this.storageFolder = join(folder, "Extension Storage");
    this.tempFolder = join(folder, "Extension Temp");
    if (habits.storage === "there") mkdirSync(this.storageFolder, { recursive: true });
    if (habits.temp === "there") mkdirSync(this.tempFolder, { recursive: true });
    this.#project = new LiveProject(this.projectFolder, habits);
    this.#calls = new LiveCalls(habits, options);
    this.#world = new LiveWorld(this.#set, this.#calls, habits);
    this.ui = new StandInUi(this.#calls.turns, habits);
    this.context = this.#makeContext();
  }

  /** The calls so far that change something, in the order in which they began. */
  get calls(): readonly LiveCall[] {
    return this.#calls.made;
  }

  /** The number of properties of Live's objects that were read so far; a list counts once. */
  get reads(): number {
    return this.#world.reads;
  }

  /** Called at the start of each such call. */
  set onCall(listener: (call: LiveCall) => void) {
    this.#calls.onCall = listener;
  }

  look(): LivePicture {
    return {
      ...lookAtSet(this.#set),
      undoSteps: this.#calls.undo.taken,
      projectFiles: this.#project.files,
    };
  }

  /** The same Set after the extension's process crashed and restarted; all older objects are stale. */
  restarted(options: StandInOptions = {}): StandInLive {
    return new StandInLive(this.#folder, { ...this.#habits, ...options }, this.#set);
  }

  /**
   * Does what a click on an entry of a context menu does.
   * @returns what the command gave, which Live does not look at
   */
  clickMenu(scope: LiveScope, title: string, target: MenuTarget = {}): unknown {
    return this.ui.click(scope, title, this.#handleFor(scope, target));
  }

  /** Does what a person does who deletes a track. */
  deleteTrackByHand(name: string): void {
    const track = this.#set.tracks.find((each) => each.name === name);
    if (track === undefined) throw new Error(`There is no track ${name}.`);
    this.#set.remove(track);
  }

  /** Does what a person does who deletes a scene. */
  deleteSceneByHand(index: number): void {
    const scene = this.#set.scenes[index];
    if (scene === undefined) throw new Error(`There is no scene ${index}.`);
    this.#set.remove(scene);
  }

  /** Does what a person does who opens another Set: every object is stale. */
  openAnotherSet(): void {
    this.#set.replace(this.#habits);
  }

  /** Does what a person does who makes a scene. */
  addSceneByHand(index: number, name: string): void {
    this.#set.addScene(index).name = name;
  }

  #makeContext(): LiveContext {
    const calls = this.#calls;
    const world = this.#world;
    const { storage, temp, language } = this.#habits;
    return {
      application: { song: songObject(world) },
      environment: {
        storageDirectory: storage === "not told" ? undefined : this.#reported(this.storageFolder),
        tempDirectory: temp === "not told" ? undefined : this.#reported(this.tempFolder),
        // Another program's answer: it may be anything.
        ...(language !== undefined && { language: language as string }),
      },
      resources: {
        importIntoProject: (path) =>
          calls.copying(`importIntoProject ${basename(path)}`, () =>
            this.#reported(this.#project.take(path)),
          ),
      },
      commands: { registerCommand: (id, handler) => this.ui.registerCommand(id, handler) },
      ui: this.ui,
      withinTransaction: (act) => calls.withDeadline(act),
      getObjectFromHandle: (handle, kind) => objectOfHandle(world, handle, kind),
    };
  }

  /** Handles of the slots that a person selected from one on down to the last scene. */
  #slotsDownFrom(scene: number, track: number): readonly object[] {
    const theTrack = this.#set.tracks[track];
    const slots = theTrack === undefined ? [] : this.#set.slotsOf(theTrack);
    return slots.slice(scene).map(({ id }) => ({ id }));
  }

  #reported(path: string): string {
    return this.#habits.prefixesPaths ? `\\\\?\\${path}` : path;
  }

  /** Menus give handles also where objects have none. */
  #handleFor(scope: LiveScope, { scene = 0, track = 0 }: MenuTarget): unknown {
    const { scenes, tracks } = this.#set;
    const theTrack = tracks[track];
    const theScene = scenes[scene];
    const slot = theTrack && this.#set.slotsOf(theTrack)[scene];
    switch (scope) {
      case "Scene":
        return theScene && { id: theScene.id };
      case "ClipSlot":
        return slot && { id: slot.id };
      case "ClipSlotSelection":
        return { selected_clip_slots: this.#slotsDownFrom(scene, track) };
      case "AudioTrack":
      case "MidiTrack":
        return theTrack && { id: theTrack.id };
    }
  }
}

/** Returns a Live without the faults, so that a restarted extension doesn't crash again. */
function habitsOf(options: StandInOptions): LiveHabits {
  const asked = Object.entries(options).filter(([name]) => Object.hasOwn(WORST_HABITS, name));
  return { ...WORST_HABITS, ...Object.fromEntries(asked) };
}

/**
 * Returns the object of a menu's handle.
 * @param kind the SDK's word for it, as `addon/extension/sdk-stand-in.ts` has it
 * @throws {Error} when the Set has no such thing
 */
export function objectOfHandle(world: LiveWorld, handle: unknown, kind: unknown): unknown {
  const { set } = world;
  const id = idOf(handle);
  if (kind === "Scene") {
    const scene = set.scenes.find((each) => each.id === id);
    if (scene !== undefined) return sceneObject(world, scene);
  }
  if (kind === "ClipSlot") {
    const slots = set.tracks.flatMap((track) => set.slotsOf(track));
    const slot = slots.find((each) => each.id === id);
    if (slot !== undefined) return slotObject(world, slot);
  }
  throw new Error(`There is no such ${String(kind)}.`);
}

function idOf(handle: unknown): unknown {
  return typeof handle === "object" && handle !== null && "id" in handle ? handle.id : undefined;
}
