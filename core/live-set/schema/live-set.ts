import { COLOR_RANGE } from "./clip.ts";
import { followAction, grid, METER_RANGE, TEMPO_RANGE, timeSelection } from "./parameters.ts";
import {
  attributes,
  bool,
  choice,
  float,
  int,
  list,
  listWrapper,
  object,
  open,
  others,
  text,
} from "./shape.ts";
import { AUDIO_TRACK, MASTER_TRACK, PRE_HEAR_TRACK } from "./track.ts";

// The table of what Live 11.0 writes, and every later Live opens: docs/rules/live-set.md, rule LS1.

/** `MinorVersion` of the schema that the table describes. */
export const SCHEMA_VERSION = "11.0_433";
/** `OverwriteProtectionNumber` of Live 11.0. */
const OVERWRITE_PROTECTION = 2816;

export const SCENE = object({
  FollowAction: followAction(0),
  Name: text(),
  Annotation: text(),
  Color: int(-1, [-1, COLOR_RANGE[1]]),
  /** Counts only while it is enabled, like the meter. */
  Tempo: float(120, TEMPO_RANGE),
  IsTempoEnabled: bool(false),
  TimeSignatureId: int(201, METER_RANGE),
  IsTimeSignatureEnabled: bool(false),
  LomId: int(0),
  ClipSlotsListWrapper: listWrapper(),
});

const TRANSPORT = object({
  PhaseNudgeTempo: float(10),
  LoopOn: bool(false),
  LoopStart: float(8),
  LoopLength: float(16),
  LoopIsSongStart: bool(false),
  CurrentTime: float(0),
  PunchIn: bool(false),
  PunchOut: bool(false),
  MetronomeTickDuration: int(0),
  DrawMode: bool(false),
});

const NAVIGATOR = object({
  BeatTimeHelper: object({ CurrentZoom: float(0.25) }),
  ScrollerPos: attributes({ X: int(0), Y: int(0) }),
  ClientSize: attributes({ X: int(745), Y: int(490) }),
});

/** Lanes below a clip's notes, one for each of these types. */
function lanes(...types: readonly number[]) {
  const lane = object({ Type: int(0, [0, 5]), Size: int(41), IsMinimized: bool(false) });
  return list(
    { ExpressionLane: lane },
    types.map((type) => ["ExpressionLane", { Type: type }]),
  );
}

/** The rectangle of a window that was never opened. */
const NOWHERE = -2_147_483_648;

const VIEW_STATES = object({
  SessionIO: choice(1, [0, 1]),
  SessionSends: choice(1, [0, 1]),
  SessionReturns: choice(1, [0, 1]),
  SessionMixer: choice(1, [0, 1]),
  SessionTrackDelay: choice(0, [0, 1]),
  SessionCrossFade: choice(0, [0, 1]),
  SessionShowOverView: choice(0, [0, 1]),
  ArrangerIO: choice(1, [0, 1]),
  ArrangerReturns: choice(1, [0, 1]),
  ArrangerMixer: choice(1, [0, 1]),
  ArrangerTrackDelay: choice(0, [0, 1]),
  ArrangerShowOverView: choice(1, [0, 1]),
});

const NEXT_COLOR = object({ NextColorIndex: int(0, COLOR_RANGE) });

/** The whole Set. */
export const LIVE_SET = object({
  /** Above the `Id` of every pointee. */
  NextPointeeId: int(1, [1, Number.MAX_SAFE_INTEGER]),
  OverwriteProtectionNumber: int(OVERWRITE_PROTECTION),
  LomId: int(0),
  LomIdView: int(0),
  Tracks: list({
    AudioTrack: AUDIO_TRACK,
    MidiTrack: open(),
    GroupTrack: open(),
    ReturnTrack: open(),
  }),
  MasterTrack: MASTER_TRACK,
  PreHearTrack: PRE_HEAR_TRACK,
  /** One for each return track: whether its sends come before the fader. */
  SendsPre: list({ SendPreBool: attributes({ Value: bool(false) }) }),
  Scenes: list({ Scene: SCENE }),
  Transport: TRANSPORT,
  SongMasterValues: object({ SessionScrollerPos: attributes({ X: int(0), Y: int(0) }) }),
  SignalModulations: others(),
  GlobalQuantisation: int(4, [0, 13]),
  AutoQuantisation: int(0, [0, 8]),
  Grid: grid(),
  ScaleInformation: object({ RootNote: int(0, [0, 11]), Name: text("Major") }),
  InKey: bool(false),
  SmpteFormat: int(0, [0, 5]),
  TimeSelection: timeSelection(),
  SequencerNavigator: NAVIGATOR,
  ViewStateExtendedClipProperties: bool(false),
  IsContentSplitterOpen: bool(true),
  IsExpressionSplitterOpen: bool(true),
  ExpressionLanes: lanes(0, 1, 2, 3),
  ContentLanes: lanes(4, 5),
  ViewStateFxSlotCount: int(4),
  ViewStateSessionMixerHeight: int(120),
  Locators: object({ Locators: others() }),
  DetailClipKeyMidis: others(),
  TracksListWrapper: listWrapper(),
  VisibleTracksListWrapper: listWrapper(),
  ReturnTracksListWrapper: listWrapper(),
  ScenesListWrapper: listWrapper(),
  CuePointsListWrapper: listWrapper(),
  ChooserBar: int(1),
  Annotation: text(),
  SoloOrPflSavedValue: bool(true),
  SoloInPlace: bool(true),
  CrossfadeCurve: int(2, [0, 6]),
  LatencyCompensation: int(2, [0, 2]),
  HighlightedTrackIndex: int(0, [0, Number.MAX_SAFE_INTEGER]),
  GroovePool: object({ LomId: int(0), Grooves: others() }),
  AutomationMode: bool(false),
  SnapAutomationToGrid: bool(true),
  ArrangementOverdub: bool(false),
  ColorSequenceIndex: int(0),
  AutoColorPickerForPlayerAndGroupTracks: NEXT_COLOR,
  AutoColorPickerForReturnAndMasterTracks: NEXT_COLOR,
  ViewData: text("{}"),
  MidiFoldIn: bool(false),
  MidiFoldMode: int(0),
  MultiClipFocusMode: bool(false),
  MultiClipLoopBarHeight: int(0),
  MidiPrelisten: bool(false),
  LinkedTrackGroups: others(),
  AccidentalSpellingPreference: int(3),
  PreferFlatRootNote: bool(false),
  UseWarperLegacyHiQMode: bool(false),
  VideoWindowRect: attributes({
    Top: int(NOWHERE),
    Left: int(NOWHERE),
    Bottom: int(NOWHERE),
    Right: int(NOWHERE),
  }),
  ShowVideoWindow: bool(true),
  TrackHeaderWidth: int(93),
  ViewStateArrangerHasDetail: bool(false),
  ViewStateSessionHasDetail: bool(true),
  ViewStateDetailIsSample: bool(true),
  ViewStates: VIEW_STATES,
});

/** The document: its header, and the Set. */
export const DOCUMENT = object(
  { LiveSet: LIVE_SET },
  {
    MajorVersion: text("5", /^\d+$/),
    MinorVersion: text(SCHEMA_VERSION, /^\d+\.\d+_\d+$/),
    /** Any text: the program that wrote the Set. */
    Creator: text(),
    /** The commit of that program; may be empty. */
    Revision: text(),
  },
);
