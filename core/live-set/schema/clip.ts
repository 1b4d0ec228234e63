import { followAction, grid, timeSelection } from "./parameters.ts";
import {
  attributes,
  bool,
  choice,
  float,
  int,
  list,
  object,
  others,
  place,
  text,
} from "./shape.ts";

/** Live's colors of tracks and clips. */
export const COLOR_RANGE = [0, 69] as const;
/** The greatest gain of a clip: +24 dB. */
const MOST_CLIP_GAIN = 10 ** (24 / 20);

/** The reference to an audio file. */
export const FILE_REF = object({
  /** 0: none, 1: to the Set's folder, 3: to the project's folder, 5: to a pack, 6: to the User Library, 7: built in. */
  RelativePathType: choice(0, [0, 1, 3, 5, 6, 7]),
  RelativePath: text(),
  /** Absolute, with `/` on every system. */
  Path: text(),
  Type: choice(2, [1, 2]),
  LivePackName: text(),
  LivePackId: text(),
  /** In bytes. */
  OriginalFileSize: int(0, [0, Number.MAX_SAFE_INTEGER]),
  /** The CRC-16 of the first 16,384 bytes. */
  OriginalCrc: int(0, [0, 65_535]),
});

const SAMPLE_REF = object({
  FileRef: FILE_REF,
  /** In seconds since 1970: ten digits. */
  LastModDate: int(0, [0, 9_999_999_999]),
  SourceContext: others(),
  SampleUsageHint: int(0),
  /** In frames. */
  DefaultDuration: int(0, [0, Number.MAX_SAFE_INTEGER]),
  /** In Hz. */
  DefaultSampleRate: int(44_100, [1, 10_000_000]),
});

/** Positions in beats of a warped clip, in seconds of an unwarped one. */
const LOOP = object({
  LoopStart: float(0),
  LoopEnd: float(4),
  /** The start marker, from the loop's start. */
  StartRelative: float(0),
  LoopOn: bool(false),
  OutMarker: float(4),
  HiddenLoopStart: float(0),
  HiddenLoopEnd: float(4),
});

export const WARP_MARKER = attributes({
  /** Seconds from the file's first sample. */
  SecTime: float(0),
  BeatTime: float(0),
});

const FADES = object({
  FadeInLength: float(0),
  FadeOutLength: float(0),
  ClipFadesAreInitialized: bool(true),
  CrossfadeInState: int(0),
  FadeInCurveSkew: float(0),
  FadeInCurveSlope: float(0),
  FadeOutCurveSkew: float(0),
  FadeOutCurveSlope: float(0),
  IsDefaultFadeIn: bool(true),
  IsDefaultFadeOut: bool(true),
});

const METER_CHANGE = object({
  Numerator: int(4, [1, 99]),
  Denominator: choice(4, [1, 2, 4, 8, 16]),
  Time: float(0),
});

const TIME_SIGNATURES = object({
  TimeSignatures: list({ RemoteableTimeSignature: METER_CHANGE }, [
    ["RemoteableTimeSignature", {}],
  ]),
});

/** An audio clip of a slot or of the arrangement. */
export const AUDIO_CLIP = object(
  {
    LomId: int(0),
    LomIdView: int(0),
    /** In beats, also of an unwarped clip. */
    CurrentStart: float(0),
    CurrentEnd: float(4),
    Loop: LOOP,
    Name: text(),
    Annotation: text(),
    Color: int(0, COLOR_RANGE),
    LaunchMode: int(0, [0, 3]),
    LaunchQuantisation: int(0, [0, 14]),
    TimeSignature: TIME_SIGNATURES,
    Envelopes: object({ Envelopes: others() }),
    ScrollerTimePreserver: object({ LeftTime: float(0), RightTime: float(4) }),
    TimeSelection: timeSelection(),
    Legato: bool(false),
    Ram: bool(false),
    GrooveSettings: object({ GrooveId: int(-1, [-1, Number.MAX_SAFE_INTEGER]) }),
    Disabled: bool(false),
    VelocityAmount: float(0),
    FollowAction: followAction(1),
    Grid: grid(),
    FreezeStart: float(0),
    FreezeEnd: float(0),
    IsWarped: bool(true),
    TakeId: int(0),
    SampleRef: SAMPLE_REF,
    Onsets: object({ UserOnsets: others(), HasUserOnsets: bool(false) }),
    /** 0 Beats, 1 Tones, 2 Texture, 3 Re-Pitch, 4 Complex, 6 Complex Pro; no clip can have 5. */
    WarpMode: choice(0, [0, 1, 2, 3, 4, 6]),
    GranularityTones: float(30),
    GranularityTexture: float(65),
    FluctuationTexture: float(25),
    TransientResolution: int(6),
    TransientLoopMode: int(2, [0, 2]),
    TransientEnvelope: float(100, [0, 100]),
    ComplexProFormants: float(100, [0, 100]),
    ComplexProEnvelope: float(128),
    Sync: bool(true),
    HiQ: bool(true),
    Fade: bool(true),
    Fades: FADES,
    PitchCoarse: float(0, [-48, 48]),
    PitchFine: float(0, [-50, 50]),
    /** A factor; 1 is unchanged. */
    SampleVolume: float(1, [0, MOST_CLIP_GAIN]),
    MarkerDensity: float(2),
    AutoWarpTolerance: float(4),
    WarpMarkers: list({ WarpMarker: WARP_MARKER }),
    SavedWarpMarkersForStretched: list({ WarpMarker: WARP_MARKER }),
    /** False where a person set the markers. */
    MarkersGenerated: bool(true),
    IsSongTempoMaster: bool(false),
  },
  /** Its beat in the arrangement. */
  { Time: float(0) },
);

/** A slot of the session. */
export const CLIP_SLOT = object({
  LomId: int(0),
  ClipSlot: object({ Value: place({ AudioClip: AUDIO_CLIP }) }),
  HasStop: bool(true),
  NeedRefreeze: bool(true),
});
