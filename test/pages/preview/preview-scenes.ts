import { sampleTrack } from "../../core/layout/sample-package.ts";
import type {
  ManifestFault,
  PreviewManifest,
  PreviewReadScene,
  PreviewScene,
  PreviewUsableTrack,
} from "../../../core/protocol/preview-api.ts";

/** A loop of 4 beats at 120 BPM. */
export function loop(id: string, more: Partial<PreviewUsableTrack> = {}): PreviewUsableTrack {
  return {
    ...sampleTrack(id, { warp_mode: "beats", loop_beats: 4, tempo_bpm: 120 }),
    color: "#92A7FF",
    file: `${id}.wav`,
    fields: { name: id, kind: "loop" },
    line: 3,
    bytes: 1000,
    revision: "1",
    frames: 96_000,
    sampleRateHz: 48_000,
    channels: 1,
    ...more,
  };
}

export const MANIFEST: PreviewManifest = {
  revision: "1",
  isChanged: false,
  fixedBecause: null,
  fields: {},
  faults: [],
};

/** A scene of two loops, as accepted. */
export function scene(key: string, more: Partial<PreviewReadScene> = {}): PreviewReadScene {
  return {
    key,
    folder: `library/${key}`,
    manifest: MANIFEST,
    name: `Scene ${key}`,
    tempoBpm: 126,
    beatsPerBar: 4,
    tracks: [loop("a"), loop("b")],
    warnings: [],
    golden: { status: "same", hints: [], problems: [] },
    findings: [],
    revision: "1",
    ...more,
  };
}

export const BROKEN: PreviewScene = {
  key: "x",
  folder: "library/x",
  manifest: null,
  error: "It is no JSON.",
};

/** A scene with these faults. */
export function faulty(
  key: string,
  ...faults: readonly Partial<ManifestFault>[]
): PreviewReadScene {
  const fault = {
    message: "It is wrong.",
    isError: false,
    soundId: null,
    field: null,
    place: null,
  };
  return scene(key, {
    manifest: { ...MANIFEST, faults: faults.map((one) => Object.assign({}, fault, one)) },
  });
}

/** A scene whose sounds are still being read. */
export const READING = { status: "reading", problems: [] } as const;

/** A scene that was never accepted. */
export const NEVER_ACCEPTED = {
  status: "missing",
  file: "expected/layout.json",
  problems: [],
} as const;

/** Audio without sounds, the same on both sides. */
export const NO_AUDIO = { tempo_bpm: null, time_signature: null, sounds: [] } as const;

/** The parts of a golden that only the layout differs from. */
export const ONLY_LAYOUT = {
  audio: { accepted: NO_AUDIO, now: NO_AUDIO },
  hints: [],
  problems: [],
} as const;
