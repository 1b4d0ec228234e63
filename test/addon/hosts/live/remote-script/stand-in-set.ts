import type { PlaceMessage } from "../../../../../addon/hosts/live/remote-script/plan-request.ts";

export interface StandInTrack {
  name: string;
  /** Empty on a track that isn't ours, or not marked yet. */
  mark: Readonly<Record<string, unknown>>;
  /** Path of the file that its clip plays. */
  file: string | null;
}

interface StandInScene {
  name: string;
  run: string | null;
  /** True while a run uses a scene that it didn't make. */
  isTaken?: boolean;
}

/** A Set as the control surface leaves it: it outlives the control surface, as a saved one outlives Live. */
export class StandInSet {
  readonly scenes: StandInScene[] = [];
  tracks: StandInTrack[] = [];
  tempo = 120;
  /** Live doesn't take another tempo. */
  keepsTempo = false;
  /** Scene tempos that were written. */
  readonly sceneTempos: (number | null)[] = [];
  /** Rows that were asked for. */
  readonly rows: (number | null)[] = [];
  readonly unfinished: Record<string, object> = {};

  begin({ run, scene, package: packageId }: PlaceMessage): void {
    const sizes = {
      row: this.scenes.length,
      scenes: this.scenes.length,
      tracks: this.tracks.length,
    };
    this.unfinished[run] = { ...sizes, package: packageId, scene: scene.name };
  }

  makeScene({ run, scene }: PlaceMessage): void {
    this.scenes.push({ name: "", run });
    this.sceneTempos.push(scene.tempo);
    this.rows.push(scene.index);
  }

  /** Takes an empty scene; false where there is none. */
  takeScene({ run }: PlaceMessage): boolean {
    const empty = this.scenes.find((scene) => scene.name === "" && scene.run === null);
    if (empty !== undefined) Object.assign(empty, { run, isTaken: true });
    return empty !== undefined;
  }

  end(run: string): void {
    delete this.unfinished[run];
  }

  remove(run: string, made: ReadonlySet<StandInTrack>): void {
    this.tracks = this.tracks.filter((track) => !made.has(track));
    const at = this.scenes.findIndex((scene) => scene.run === run);
    const scene = this.scenes[at];
    if (scene?.isTaken === true) Object.assign(scene, { name: "", run: null, isTaken: false });
    else if (at !== -1) this.scenes.splice(at, 1);
    this.end(run);
  }

  look() {
    return {
      scenes: this.scenes.map(({ name }) => name),
      tracks: this.tracks.map(({ name }) => name),
    };
  }
}
