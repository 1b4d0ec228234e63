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
  readonly run: string | null;
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

  end(run: string): void {
    delete this.unfinished[run];
  }

  remove(run: string, made: ReadonlySet<StandInTrack>): void {
    this.tracks = this.tracks.filter((track) => !made.has(track));
    const at = this.scenes.findIndex((scene) => scene.run === run);
    if (at !== -1) this.scenes.splice(at, 1);
    this.end(run);
  }

  look() {
    return {
      scenes: this.scenes.map(({ name }) => name),
      tracks: this.tracks.map(({ name }) => name),
    };
  }
}
