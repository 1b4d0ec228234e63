import { useMemo } from "preact/hooks";
import type {
  PanelPlan,
  PanelSound,
  PanelUsablePackage,
  PanelUsableTrack,
} from "../../../core/protocol/panel-api.ts";
import type { ClipAudio } from "../../kit/clip-list/clip-row.ts";
import { t } from "../../kit/page-language.ts";
import { ClipPlayer, type PlayableClip } from "../../kit/playback/clip-player.ts";
import { sceneBeats, type PlayableTrack } from "../../kit/playback/plan-playback.ts";
import type { ScenePlayer } from "../../kit/playback/scene-player.ts";
import { usePanel } from "../panel-store.ts";
import { PAGE_RATE_HZ } from "../../kit/playback/sound-buffers.ts";

/** The only revision, because the files of a package never change. */
const REVISION = "";

/** Plays and draws the sounds of one package (rule N6). */
export class PackageAudio implements ClipAudio {
  readonly #player: ScenePlayer;
  readonly #clips: ClipPlayer;
  readonly #packageId: string;
  readonly #sounds: ReadonlyMap<string, PanelSound>;
  #plan: PanelPlan | null = null;
  #tempoBpm: number | null = null;

  /** @param offered null where the package is gone and nothing can be played */
  constructor(player: ScenePlayer, offered: PanelUsablePackage | null) {
    this.#player = player;
    this.#packageId = offered?.packageId ?? "";
    const sounds = offered === null ? [] : offered.sounds;
    this.#sounds = new Map(sounds.map((sound) => [clipKeyOf(this, sound.id), sound]));
    this.#clips = new ClipPlayer({
      player,
      clipOf: (key) => this.#clipOf(key),
      tempoNow: () => this.#tempoBpm,
    });
  }

  get packageId(): string {
    return this.#packageId;
  }

  /** Sets the plan, without which nothing plays. */
  know(plan: PanelPlan | null): void {
    this.#plan = plan;
  }

  /**
   * Changes the tempo, also of the sounds that are playing.
   * @param tempoBpm tempo at which loops are heard; null for each loop's own
   */
  setTempo(tempoBpm: number | null): void {
    if (this.#tempoBpm === tempoBpm) return;
    this.#tempoBpm = tempoBpm;
    this.#clips.retune(this.#sounds.keys());
    if (this.isSceneOn && tempoBpm !== null) this.#player.setTempo(tempoBpm);
  }

  /** True while the package's sounds play together. */
  get isSceneOn(): boolean {
    const { sceneKey, nextKey } = this.#player.view;
    return this.#packageId !== "" && (nextKey ?? sceneKey) === this.#packageId;
  }

  /** Starts all sounds together, or stops them (rule N30). Must be called in the click itself. */
  async toggleScene(): Promise<void> {
    if (this.isSceneOn) {
      this.#player.stop();
      return;
    }
    const { beatsPerBar } = this;
    await this.#player.play(this.#packageId, this.#tracks(), this.#sceneBpm(), { beatsPerBar });
  }

  /** Counts the sounds that can play together. */
  get soundCount(): number {
    return this.#tracks().length;
  }

  /** The length of all sounds together, in beats of the tempo at which they play. */
  get sceneBeats(): number {
    return sceneBeats(this.#tracks(), this.#sceneBpm());
  }

  get beatsPerBar(): number {
    return this.#plan?.beatsPerBar ?? 4;
  }

  /** Mutes or solos a sound among those that play together. */
  mix(key: string, what: "setMuted" | "setSolo", isOn: boolean): void {
    const sound = this.#sounds.get(key);
    if (sound !== undefined) this.#player[what](this.#packageId, sound.id, isOn);
  }

  async outline(key: string): Promise<readonly number[]> {
    const sound = this.#sounds.get(key);
    if (sound === undefined) throw new Error(t("panel.sound-gone"));
    const { id, bytes } = sound;
    return this.#player.sounds.outline(this.#packageId, id, REVISION, bytes ?? 0);
  }

  async toggle(key: string): Promise<void> {
    if (this.#clipOf(key) === null) {
      throw new Error(this.#plan === null ? t("panel.sound-loading") : t("panel.sound-gone"));
    }
    await this.#clips.toggle(key);
  }

  isPlaying(key: string): boolean {
    return this.#clips.isPlaying(key);
  }

  isMoving(key: string): boolean {
    return this.#clips.isMoving(key);
  }

  position(key: string): number | null {
    return this.#clips.position(key);
  }

  subscribe(listener: () => void): () => void {
    return this.#clips.subscribe(listener);
  }

  /** The sounds that can be played; none until the plan is known. */
  #tracks(): readonly PlayableTrack[] {
    return [...this.#sounds.keys()].flatMap((key) => this.#clipOf(key)?.track ?? []);
  }

  /** Returns the session's tempo, else the package's own, else its first loop's. */
  #sceneBpm(): number {
    const loop = this.#tracks().find((track) => track.tempo_bpm !== null);
    return this.#tempoBpm ?? this.#plan?.tempoBpm ?? loop?.tempo_bpm ?? 120;
  }

  #clipOf(key: string): PlayableClip | null {
    const sound = this.#sounds.get(key);
    const planned = this.#plan?.tracks.find(({ id }) => id === sound?.id);
    if (sound === undefined || planned === undefined || "error" in planned) return null;
    const track = playablePanelTrack(planned, sound, REVISION);
    return track === null ? null : { sceneKey: this.#packageId, track };
  }
}

/**
 * Returns one object for as long as a package is shown, so that the list keeps its waveforms and playback.
 * @param packageId the package that is shown
 * @param usable null where the package is gone
 */
export function usePackageAudio(
  packageId: string,
  usable: PanelUsablePackage | null,
): PackageAudio {
  const { player } = usePanel();
  return useMemo(() => new PackageAudio(player, usable), [player, packageId, usable === null]);
}

/** Returns a key that identifies a sound among the sounds of all packages. */
export function clipKeyOf({ packageId }: { readonly packageId: string }, soundId: string): string {
  return JSON.stringify([packageId, soundId]);
}

/** Converts a planned track for the player; null while its length is unknown. @param revision changes with the file */
function playablePanelTrack(
  track: PanelUsableTrack,
  { bytes }: Pick<PanelSound, "bytes">,
  revision: string,
): PlayableTrack | null {
  const { durationSeconds } = track;
  if (durationSeconds === null || durationSeconds === 0) return null;
  return {
    id: track.id,
    revision,
    bytes: bytes ?? 0,
    frames: durationSeconds * PAGE_RATE_HZ,
    sampleRateHz: PAGE_RATE_HZ,
    looping: track.looping,
    warp_mode: track.warpMode,
    loop_beats: track.loopEndBeats,
    tempo_bpm: track.tempoBpm,
    gain_db: track.gainDb,
  };
}
