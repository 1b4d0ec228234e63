import { MAX_FILE_NAME_LENGTH } from "../limits.ts";

/** The only supported package format. */
export const SCHEMA = "app2host/1";

/** The file that makes a folder a package (rule R5). */
export const MANIFEST_FILE = "manifest.json";

export const SOUND_KINDS = ["loop", "oneshot"] as const;
/** `loop`: warped to the tempo and looped. `oneshot`: plays unwarped. */
export type SoundKind = (typeof SOUND_KINDS)[number];

export const SOUND_ROLES = ["drums", "bass", "melodic", "vocal", "texture", "fx"] as const;
export type SoundRole = (typeof SOUND_ROLES)[number];

/** Live's numbers of the warp modes; a clip can't be set to 5. */
export const WARP_MODES = {
  beats: 0,
  tones: 1,
  texture: 2,
  repitch: 3,
  complex: 4,
  complex_pro: 6,
} as const;
export type WarpMode = keyof typeof WARP_MODES;
/** The names of the warp modes. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const WARP_MODE_KEYS = Object.keys(WARP_MODES) as readonly WarpMode[];

/** A cleaned manifest with every default filled in, as the relay stores it and the importer gets it. */
export interface Manifest {
  readonly schema: typeof SCHEMA;
  /** Assigned by the relay; derived from the folder for a local package. */
  readonly package_id: string;
  readonly created_at?: string;
  /** Names the scene and the folder; 1 to `MAX_TITLE_LENGTH` code points. */
  readonly title: string;
  readonly source: {
    readonly app: string;
    readonly app_version?: string;
    readonly platform?: string;
  };
  readonly tempo?: {
    /** `MIN_BPM` to `MAX_BPM`, the default for loops. */
    readonly bpm?: number;
    readonly time_signature?: readonly [number, number];
  };
  readonly items: readonly Sound[];
}

/** One sound of a cleaned manifest. */
export interface Sound {
  /** Name on the relay; the name on disk derives from `name`. */
  readonly file: string;
  /** Exact size; missing only in a local package. */
  readonly bytes?: number;
  /** Lower-case hex; missing only in a local package. */
  readonly sha256?: string;
  /** Unique in the package. */
  readonly id: string;
  /** Track and clip name; 1 to `MAX_NAME_LENGTH` code points. */
  readonly name: string;
  readonly kind: SoundKind;
  readonly role?: SoundRole;
  /** `MIN_BPM` to `MAX_BPM`; only on a loop. */
  readonly bpm?: number;
  /** Above 0, up to `MAX_LENGTH_BEATS`; only on a loop. */
  readonly length_beats?: number;
  /** Only on a loop. */
  readonly warp_mode?: WarpMode;
  /** `#RRGGBB`, upper case. */
  readonly color?: string;
  /** `MIN_GAIN_DB` to `MAX_GAIN_DB`. */
  readonly gain_db?: number;
}

/** A sound on a relay: size and checksum are always known. */
export interface AnnouncedSound extends Sound {
  readonly bytes: number;
  readonly sha256: string;
}
export interface AnnouncedManifest extends Manifest {
  readonly items: readonly AnnouncedSound[];
}

/** One repair to a manifest (rule M5). */
export interface Warning {
  /** Stable, UPPER_SNAKE. */
  readonly code: string;
  /** Plain English, at most `MAX_WARNING_UNITS` UTF-16 units. */
  readonly message: string;
  /** Id of the sound concerned, if any. */
  readonly sound?: string;
  /** The property concerned, if any, such as `tempo.bpm`. */
  readonly field?: string;
}

/** Pattern of a sound's `file`; its length is limited separately (rule M3). */
export const FILE_NAME_PATTERN = "^(?!.*\\.\\.)[A-Za-z0-9][A-Za-z0-9 ._-]*\\.[Ww][Aa][Vv]$";

const FILE_NAME = new RegExp(FILE_NAME_PATTERN);

/** Checks whether a name is valid for a sound's `file`. */
export function isSoundFileName(name: string): boolean {
  return name.length <= MAX_FILE_NAME_LENGTH && FILE_NAME.test(name);
}
