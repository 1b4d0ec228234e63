import { AUDIO_CLIP, CLIP_SLOT, COLOR_RANGE } from "./clip.ts";
import { deviceHead, MASTER_MIXER, MIXER } from "./mixer.ts";
import { arrangementEvents, AUTOMATION_ENVELOPES } from "./parameters.ts";
import {
  bool,
  float,
  int,
  list,
  listWrapper,
  object,
  others,
  pointee,
  type Shape,
  text,
} from "./shape.ts";

/** The position of a view that wasn't scrolled yet. */
const NOT_SCROLLED = -1_073_741_824;

/** The player of a track's clips. Frozen clips have one of their own. */
function sequencer(monitoring: 1 | 2) {
  return object({
    ...deviceHead(),
    /** One for each scene. */
    ClipSlotList: list({ ClipSlot: CLIP_SLOT }),
    /** 0: in, 1: auto, 2: off. */
    MonitoringEnum: int(monitoring, [0, 2]),
    Sample: object({ ArrangerAutomation: arrangementEvents({ AudioClip: AUDIO_CLIP }) }),
    VolumeModulationTarget: pointee(),
    TranspositionModulationTarget: pointee(),
    GrainSizeModulationTarget: pointee(),
    FluxModulationTarget: pointee(),
    SampleOffsetModulationTarget: pointee(),
    PitchViewScrollPosition: int(NOT_SCROLLED),
    SampleOffsetModulationScrollPosition: int(NOT_SCROLLED),
    Recorder: object({ IsArmed: bool(false), TakeCounter: int(1) }),
  });
}

/** One end of a track's cables: the place, and its two texts in Live's menus. */
function routing(target: string, upper: string, lower: string, places: RegExp) {
  return object({
    Target: text(target, places),
    UpperDisplayString: text(upper),
    LowerDisplayString: text(lower),
  });
}

const AUDIO_IN =
  /^AudioIn\/(?:None|Master|External\/[MS]\d+|(?:Track\.\d+|GroupTrack|Resampling|Bus\.\d+)(?:\/.*)?)$/;
const AUDIO_OUT = /^AudioOut\/(?:None|Master|GroupTrack|External\/[MS]\d+|Track\.\d+(?:\/.*)?)$/;
const MIDI_IN = /^MidiIn\/(?:None|External\..*|Track\..*)$/;
const MIDI_OUT = /^MidiOut\/(?:None|External\..*|Track\..*)$/;

interface Cables {
  readonly audioIn: readonly [target: string, upper: string, lower: string];
  readonly audioOut: readonly [target: string, upper: string, lower: string];
}

const AUTOMATION_LANE = object({
  SelectedDevice: int(0),
  SelectedEnvelope: int(0),
  IsContentSelectedInDocument: bool(false),
  LaneHeight: int(68),
});

function chainHead({ audioIn, audioOut }: Cables) {
  return {
    AutomationLanes: object({
      AutomationLanes: list({ AutomationLane: AUTOMATION_LANE }, [["AutomationLane", {}]]),
      AreAdditionalAutomationLanesFolded: bool(false),
    }),
    ClipEnvelopeChooserViewState: object({
      SelectedDevice: int(0),
      SelectedEnvelope: int(0),
      PreferModulationVisible: bool(false),
    }),
    AudioInputRouting: routing(...audioIn, AUDIO_IN),
    MidiInputRouting: routing("MidiIn/External.All/-1", "Ext: All Ins", "", MIDI_IN),
    AudioOutputRouting: routing(...audioOut, AUDIO_OUT),
    MidiOutputRouting: routing("MidiOut/None", "None", "", MIDI_OUT),
  };
}

/** The look of a new track. */
interface FirstLook {
  readonly isUnfolded: boolean;
  readonly effectiveName: string;
}

/** The devices of a track: none in a new Set. */
const DEVICES = object({ Devices: others(), SignalModulations: others() });

function trackHead(color: Shape, { isUnfolded, effectiveName }: FirstLook) {
  return {
    LomId: int(0),
    LomIdView: int(0),
    IsContentSelectedInDocument: bool(false),
    PreferredContentViewMode: int(0),
    TrackDelay: object({ Value: float(0), IsValueSampleBased: bool(false) }),
    Name: object({
      EffectiveName: text(effectiveName),
      /** A leading `#` is replaced by the track's number. */
      UserName: text(),
      Annotation: text(),
      MemorizedFirstClipName: text(),
    }),
    Color: color,
    AutomationEnvelopes: AUTOMATION_ENVELOPES,
    TrackGroupId: int(-1, [-1, Number.MAX_SAFE_INTEGER]),
    TrackUnfolded: bool(isUnfolded),
    DevicesListWrapper: listWrapper(),
    ClipSlotsListWrapper: listWrapper(),
    ViewData: text("{}"),
    TakeLanes: object({ TakeLanes: others(), AreTakeLanesFolded: bool(true) }),
    LinkedTrackGroupId: int(-1, [-1, Number.MAX_SAFE_INTEGER]),
  };
}

export const AUDIO_TRACK = object({
  ...trackHead(int(0, COLOR_RANGE), { isUnfolded: true, effectiveName: "" }),
  SavedPlayingSlot: int(-1, [-2, Number.MAX_SAFE_INTEGER]),
  SavedPlayingOffset: float(0),
  Freeze: bool(false),
  VelocityDetail: int(0),
  NeedArrangerRefreeze: bool(true),
  PostProcessFreezeClips: int(0),
  DeviceChain: object({
    ...chainHead({
      audioIn: ["AudioIn/External/M0", "Ext. In", "1"],
      audioOut: ["AudioOut/Master", "Master", ""],
    }),
    Mixer: MIXER,
    MainSequencer: sequencer(2),
    FreezeSequencer: sequencer(1),
    DeviceChain: DEVICES,
  }),
});

const OUTSIDE: Cables = {
  audioIn: ["AudioIn/External/S0", "Ext. In", "1/2"],
  audioOut: ["AudioOut/External/S0", "Ext. Out", "1/2"],
};

const MASTER_LOOK: FirstLook = { isUnfolded: false, effectiveName: "Master" };
const NO_COLOR_RANGE = [-1, COLOR_RANGE[1]] as const;

/** The master, whose one sequencer isn't in the main place. */
export const MASTER_TRACK = object({
  ...trackHead(int(-1, NO_COLOR_RANGE), MASTER_LOOK),
  DeviceChain: object({
    ...chainHead(OUTSIDE),
    Mixer: MASTER_MIXER,
    FreezeSequencer: list({ AudioSequencer: sequencer(1) }, [["AudioSequencer", {}]]),
    DeviceChain: DEVICES,
  }),
});

/** The track for cueing, without a sequencer. */
export const PRE_HEAR_TRACK = object({
  ...trackHead(int(-1, NO_COLOR_RANGE), MASTER_LOOK),
  DeviceChain: object({ ...chainHead(OUTSIDE), Mixer: MIXER, DeviceChain: DEVICES }),
});
