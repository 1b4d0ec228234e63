import type { LiveClip } from "../../../../../addon/hosts/live/sdk/live-api.ts";
import { allMarkers, setWarping } from "./clip-warp.ts";
import type { SetClip } from "./live-set.ts";
import { type LiveWorld, withDeadline } from "./live-world.ts";

const WARP_MODES: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 6]);

/** The object for a clip. */
export function clipObject(world: LiveWorld, clip: SetClip): LiveClip {
  return world.objectFor(clip, () => new ClipObject(world, clip));
}

class ClipObject implements LiveClip {
  readonly #world: LiveWorld;
  readonly #clip: SetClip;

  constructor(world: LiveWorld, clip: SetClip) {
    this.#world = world;
    this.#clip = clip;
  }

  get name() {
    return this.#alive.name;
  }

  set name(value) {
    this.#set("name", value, (clip) => {
      clip.name = value;
    });
  }

  get color() {
    return this.#number(this.#alive.color);
  }

  set color(value) {
    this.#set("color", value, (clip) => {
      const kind = this.#world.habits.wantsBigIntColor ? "bigint" : "number";
      if (typeof value !== kind) throw new TypeError(`A color is a ${kind}.`);
      clip.color = withDeadline(value, 0, 0xffffff);
    });
  }

  get looping() {
    return this.#alive.looping;
  }

  set looping(value) {
    this.#set("looping", value, (clip) => {
      // A loop needs warp, so Live turns it on.
      if (value) setWarping(clip, true);
      clip.looping = value;
    });
  }

  get warping() {
    return this.#alive.warping;
  }

  set warping(value) {
    this.#set("warping", value, (clip) => {
      this.#world.calls.turns.add("happens", () => setWarping(clip, value));
    });
  }

  get warpMode() {
    return this.#number(this.#alive.warpMode);
  }

  set warpMode(value) {
    this.#set("warpMode", value, (clip) => {
      if (!WARP_MODES.has(Number(value))) throw new RangeError(`${value} is no warp mode.`);
      clip.warpMode = Number(value);
    });
  }

  get startMarker() {
    return this.#number(this.#alive.startMarker);
  }

  get endMarker() {
    return this.#number(this.#alive.endMarker);
  }

  get loopStart() {
    return this.#number(this.#alive.loopStart);
  }

  get loopEnd() {
    return this.#number(this.#alive.loopEnd);
  }

  get filePath() {
    return this.#alive.filePath;
  }

  get warpMarkers() {
    const clip = this.#alive;
    return (clip.warping ? allMarkers(clip) : []).map(({ seconds, beats }) => ({
      sampleTime: this.#number(seconds),
      beatTime: this.#number(beats),
    }));
  }

  get #alive(): SetClip {
    this.#world.countRead();
    this.#world.assertThere(this.#world.set.holdsClip(this.#clip));
    return this.#clip;
  }

  #set(setting: string, value: unknown, act: (clip: SetClip) => void): void {
    this.#world.calls.setting(`clip.${setting} = ${String(value)}`, () => act(this.#alive));
  }

  #number(value: number) {
    return this.#world.number(value);
  }
}
