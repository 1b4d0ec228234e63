import { join } from "node:path";
import { LiveHost } from "../../../addon/hosts/live/sdk/live-host.ts";
import type { RunOptions } from "../../../addon/runs/import-run.ts";
import type { ImportOutcome } from "../../../core/protocol/import-outcome.ts";
import type { TrackPicture } from "./live/stand-in/look-at-set.ts";
import { StandInLive, type StandInOptions } from "./live/stand-in/stand-in-live.ts";
import { smallWav } from "../../wav-bytes.ts";
import { ImportSite } from "../runs/import-site.ts";
import { type MemorySound, MemorySource } from "../runs/memory-source.ts";
import { noise } from "../runs/sound-relay.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const SAMPLE_RATE_HZ = 8000;

/** One sound of a package: what its manifest says beside the file. */
export interface KitSound {
  readonly name: string;
  readonly kind: "loop" | "oneshot";
  /** Length of its file. */
  readonly seconds: number;
  readonly bpm?: number;
  readonly length_beats?: number;
  readonly role?: string;
  readonly color?: string;
  readonly gain_db?: number;
}

/** 2 beats at 125 BPM, exactly. */
const TWO_BEATS = { kind: "loop", seconds: 0.96, bpm: 125, length_beats: 2 } as const;

/** A layout that a Set at 120 BPM can hold exactly as requested. */
export const KIT: readonly KitSound[] = [
  { ...TWO_BEATS, name: "Beat", role: "drums", color: "#FF3636" },
  { ...TWO_BEATS, name: "Bass", role: "bass", color: "#1A2F96", gain_db: -6 },
  { name: "Kick", kind: "oneshot", seconds: 0.25, color: "#F7F47C", gain_db: 3 },
  { ...TWO_BEATS, name: "Lead", role: "melodic", color: "#3DC300", gain_db: 12 },
];

/** The files in the sounds folder once the kit was fetched. */
export const KIT_FILES = [
  ".soundferry.json",
  "Bass.wav",
  "Beat.wav",
  "Kick.wav",
  "Kit.dawproject",
  "Lead.wav",
  "manifest.json",
].map((name) => join("Kit", name));

export const TRACK_NAMES = KIT.map(({ name }) => `${name} (Looper)`);

export interface StudioOptions extends StandInOptions {
  readonly sounds?: readonly KitSound[];
  readonly correctsTempo?: boolean;
}

/** A musician's computer: Live, a package in memory, and an importer that imports it into Live. */
export class LiveStudio {
  readonly live: StandInLive;
  readonly host: LiveHost;
  readonly site: ImportSite;
  readonly folder: string;
  readonly #studio: StudioOptions;

  /** @param folder has everything that the studio has on the disk */
  constructor(live: StandInLive, site: ImportSite, folder: string, studio: StudioOptions) {
    this.live = live;
    this.host = new LiveHost(live.context);
    this.site = site;
    this.folder = folder;
    this.#studio = studio;
  }

  /** The importer, restarted on this Live and this site. */
  with(live: StandInLive, site: ImportSite = this.site): LiveStudio {
    return new LiveStudio(live, site, this.folder, this.#studio);
  }

  async import(options: Partial<RunOptions> = {}): Promise<ImportOutcome> {
    const settings = { "correct-tempo": this.#studio.correctsTempo === true };
    const source = new MemorySource(this.#sounds.map(toMemory));
    return this.site.import(source, { host: this.host, settings, ...options });
  }

  /** The bytes that the package has for a sound. */
  wavOf(name: string): Buffer {
    const index = this.#sounds.findIndex((sound) => sound.name === name);
    return wavOf(this.#sounds[index]?.seconds ?? 0, index);
  }

  /** The tracks that the Set did not begin with, from left to right. */
  newTracks(): readonly TrackPicture[] {
    const { tracks } = this.live.look();
    return tracks.filter(({ name }) => name !== "1-MIDI" && name !== "2-Audio");
  }

  get #sounds(): readonly KitSound[] {
    return this.#studio.sounds ?? KIT;
  }
}

/** A studio whose folder is removed after the test. */
export async function liveStudio(studio: StudioOptions = {}): Promise<LiveStudio> {
  const folder = await temporaryFolder();
  const live = new StandInLive(folder, studio);
  return new LiveStudio(live, new ImportSite(join(folder, "importer")), folder, studio);
}

function toMemory({ name, seconds, ...more }: KitSound, index: number): MemorySound {
  return { name, wav: wavOf(seconds, index), more };
}

/** Files that were made before, by their length and their noise. */
const WAVS = new Map<string, Buffer>();

function wavOf(seconds: number, seed: number): Buffer {
  const key = `${seconds} ${seed}`;
  const frames = Math.round(seconds * SAMPLE_RATE_HZ);
  const wav = WAVS.get(key) ?? noise(smallWav({ frames, sampleRateHz: SAMPLE_RATE_HZ }), seed);
  WAVS.set(key, wav);
  return wav;
}
