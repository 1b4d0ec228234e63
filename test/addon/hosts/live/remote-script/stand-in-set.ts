import type {
  PlaceMessage,
  TrackMessage,
} from "../../../../../addon/hosts/live/remote-script/place-message.ts";

export interface StandInTrack {
  readonly name: string;
  readonly mark: { readonly run: string; readonly package: string; readonly sound: string };
  done: boolean;
  /** Path of the file that its clip plays. */
  file: string | null;
}

/** A Set as the control surface leaves it: it outlives the control surface, as a saved one outlives Live. */
export class StandInSet {
  readonly scenes: { readonly name: string; readonly run: string; readonly package: string }[] = [];
  tracks: StandInTrack[] = [];
  tempo = 120;
  /** Scene tempos that were written. */
  readonly sceneTempos: (number | null)[] = [];
  /** Rows that were asked for. */
  readonly rows: (number | null)[] = [];

  makeScene({ run, scene, package: packageId }: PlaceMessage): void {
    this.scenes.push({ name: scene.name, run, package: packageId });
    this.sceneTempos.push(scene.tempo);
    this.rows.push(scene.index);
  }

  makeTrack(
    { run, package: packageId }: PlaceMessage,
    { sound, name }: TrackMessage,
  ): StandInTrack {
    const track = { name, mark: { run, package: packageId, sound }, done: false, file: null };
    this.tracks.push(track);
    return track;
  }

  remove(run: string): void {
    this.tracks = this.tracks.filter(({ mark }) => mark.run !== run);
    const at = this.scenes.findIndex((scene) => scene.run === run);
    if (at !== -1) this.scenes.splice(at, 1);
  }

  heldOf(packageId: unknown) {
    const scenes = this.scenes.filter((scene) => scene.package === packageId);
    const tracks = this.tracks.filter(({ mark }) => mark.package === packageId);
    return [
      ...scenes.map(({ run, name }) => ({
        run,
        sound: null,
        track: name,
        done: true,
        scene: name,
      })),
      ...tracks.map(({ mark, name, done }) => {
        return { run: mark.run, sound: mark.sound, track: name, done, scene: null };
      }),
    ];
  }

  look() {
    return {
      scenes: this.scenes.map(({ name }) => name),
      tracks: this.tracks.map(({ name }) => name),
    };
  }
}
