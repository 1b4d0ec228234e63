import type { WarpMarker } from "../../../../../core/layout/warp-markers.ts";
import type { LiveHabits } from "./live-habits.ts";

export interface SetScene {
  readonly id: bigint;
  name: string;
}

export interface SetTrack {
  readonly id: bigint;
  readonly kind: "audio" | "midi";
  name: string;
  /** Raw: 0.85 is 0 dB. */
  volume: number;
  /** The content of each new slot. */
  readonly template: SetClip | null;
  readonly slots: Map<SetScene, SetSlot>;
}

export interface SetSlot {
  readonly id: bigint;
  readonly kind: SetTrack["kind"];
  clip: SetClip | null;
}

/** The start and end of a clip: in beats while it is warped, in seconds while it is not. */
export interface ClipPoints {
  startMarker: number;
  endMarker: number;
  loopStart: number;
  loopEnd: number;
}

export interface SetClip extends ClipPoints {
  readonly id: bigint;
  name: string;
  /** 0xRRGGBB. */
  color: number;
  looping: boolean;
  warping: boolean;
  warpMode: number;
  readonly filePath: string;
  readonly fileSeconds: number;
  /** The tempo that Live detected in the file, in BPM. */
  readonly heardBpm: number;
  /** The markers without the hidden last one. */
  readonly markers: readonly WarpMarker[];
}

const NO_GAIN = Math.fround(0.85);

/** The true content of a Set, regardless of its objects. */
export class LiveSet {
  tempoBpm: number;
  readonly scenes: SetScene[] = [];
  readonly tracks: SetTrack[] = [];
  #lastId = 0n;

  constructor(begins: Pick<LiveHabits, "firstScenes" | "firstTracks" | "firstTempoBpm">) {
    this.tempoBpm = begins.firstTempoBpm;
    this.#fill(begins);
  }

  /** Opens another Set: nothing of this one is left, and no object of it lives on. */
  replace(begins: Pick<LiveHabits, "firstScenes" | "firstTracks" | "firstTempoBpm">): void {
    this.scenes.length = 0;
    this.tracks.length = 0;
    this.tempoBpm = begins.firstTempoBpm;
    this.#fill(begins);
  }

  #fill(begins: Pick<LiveHabits, "firstScenes" | "firstTracks">): void {
    for (const name of begins.firstScenes) this.addScene(this.scenes.length).name = name;
    for (const { kind, name } of begins.firstTracks) {
      this.addTrack(this.tracks.length, kind).name = name;
    }
  }

  addScene(index: number): SetScene {
    const scene: SetScene = { id: this.newId(), name: "" };
    this.scenes.splice(index, 0, scene);
    for (const track of this.tracks) this.#addSlot(track, scene);
    return scene;
  }

  addTrack(index: number, kind: SetTrack["kind"], template: SetClip | null = null): SetTrack {
    const id = this.newId();
    const name = `${this.tracks.length + 1}-Audio`;
    const track: SetTrack = { id, kind, name, volume: NO_GAIN, template, slots: new Map() };
    this.tracks.splice(index, 0, track);
    for (const scene of this.scenes) this.#addSlot(track, scene);
    return track;
  }

  /** Removes a scene with its clips, or a track. */
  remove(thing: SetScene | SetTrack): void {
    removeFrom<SetScene | SetTrack>(this.scenes, thing);
    removeFrom<SetScene | SetTrack>(this.tracks, thing);
  }

  /** The slots in the scenes' order. */
  slotsOf(track: SetTrack): readonly SetSlot[] {
    return this.scenes.flatMap((scene) => track.slots.get(scene) ?? []);
  }

  holdsSlot(slot: SetSlot): boolean {
    return this.tracks.some((track) => this.slotsOf(track).includes(slot));
  }

  holdsClip(clip: SetClip): boolean {
    return this.tracks.some((track) => this.slotsOf(track).some((slot) => slot.clip === clip));
  }

  newId(): bigint {
    this.#lastId += 1n;
    return this.#lastId;
  }

  #addSlot(track: SetTrack, scene: SetScene): void {
    const { kind, template } = track;
    const clip = template && { ...template, id: this.newId() };
    track.slots.set(scene, { id: this.newId(), kind, clip });
  }
}

function removeFrom<Thing>(things: Thing[], thing: Thing): void {
  const index = things.indexOf(thing);
  if (index !== -1) things.splice(index, 1);
}
