import { CHECK_NAME } from "../../../../../addon/live-check/check.ts";
import {
  factsOf,
  type LiveFact,
  type LiveFacts,
  type LiveReport,
} from "../../../../../core/protocol/live-report.ts";
import type { FakeFileHabits, FakeHabits } from "./fake-live-habits.ts";

/** Calls whose cost the fake knows, by the names in a report. */
const COSTS: Readonly<Record<string, string>> = {
  create_audio_track: "Song.create_audio_track",
  create_midi_track: "Song.create_midi_track",
  create_scene: "Song.create_scene",
  create_audio_clip: "ClipSlot.create_audio_clip",
  warping: "Clip.warping=",
  add_warp_marker: "Clip.add_warp_marker",
  delete_track: "Song.delete_track",
};
const INTS_FOR_FLOATS: Readonly<Record<string, string>> = {
  int_for_gain: "Clip.gain",
  int_for_volume: "DeviceParameter.value",
  int_for_pitch_fine: "Clip.pitch_fine",
};
const LONG_FILE = `${CHECK_NAME} long.wav`;
const MINUTES_FILE = `${CHECK_NAME} minutes.wav`;
const VARIANTS = ["Beta", "Intro", "Lite", "Standard", "Suite", "Trial"] as const;

/** Makes the fake Live behave as a report says that a Live did; what it leaves open is left out. */
export function habitsOfReport(report: LiveReport): Partial<FakeHabits> {
  const [tracks, numbers] = [factsOf(report, "tracks"), factsOf(report, "numbers")];
  const [scene, undo] = [factsOf(report, "scene"), factsOf(report, "undo")];
  const [signs, late] = [factsOf(report, "number-sign"), factsOf(report, "late-analysis")];
  const files = factsOf(report, "files");
  const variant = VARIANTS.find((name) => name === report.edition);
  const strict = Object.keys(INTS_FOR_FLOATS).filter((key) => isText(numbers[key]));
  const isStrict = strict.length === Object.keys(INTS_FOR_FLOATS).length;
  const steps = undo["steps"];
  return given({
    version: report.live ?? undefined,
    variant,
    tickMs: report.tick_ms ?? undefined,
    callMs: costsOf(report),
    newTrackArmed: isTrue(tracks["is_armed"]),
    creatingSelects: isTrue(tracks["making_selects"]),
    inputTypes: tracks["offers_no_input"] === false ? ["Ext. In"] : undefined,
    sceneData: "set_data" in scene ? scene["set_data"] === null : undefined,
    floatsRejectInts: isStrict ? "all" : strict.map((key) => INTS_FOR_FLOATS[key] ?? key),
    intsRejectBools: "bool_for_color" in numbers ? isText(numbers["bool_for_color"]) : undefined,
    boolsRejectInts: "int_for_muted" in numbers ? isText(numbers["int_for_muted"]) : undefined,
    filePaths: files["clip_path"] === "other" ? "resolved" : undefined,
    stepsEndWithCallback: typeof steps === "number" ? steps > 1 : undefined,
    numberSigns: "keeps_all" in signs ? signs["keeps_all"] === false : undefined,
    files: {
      [LONG_FILE]: freshHabits(factsOf(report, "fresh-long")),
      [MINUTES_FILE]: given({ analysisTicks: numberOf(late["last_change_ticks"]) }),
    },
    ...freshHabits(factsOf(report, "fresh-loop")),
    ...clipHabits(report),
    ...displayOf(report),
  });
}

/** Reads the look of a new clip of one file. */
function freshHabits(fresh: LiveFacts): Partial<FakeFileHabits> {
  const visible = pairs(fresh["markers"]).slice(0, -1);
  const pitch = [fresh["pitch_coarse"], fresh["pitch_fine"]].map(Number);
  return given({
    fresh: visible.length === 0 ? undefined : kindOf(fresh, visible.length),
    guess: guessOf(pairs(fresh["markers"])),
    markersLeft: visible.length > 0 ? visible.length : undefined,
    firstMarkerSeconds: visible[0]?.[0],
    drift: driftOf(visible),
    startMovedSeconds: fresh["warping"] === false ? numberOf(fresh["start_marker"]) : undefined,
    freshLooping: isTrue(fresh["looping"]),
    freshWarpMode: numberOf(fresh["warp_mode"]),
    freshGain: numberOf(fresh["gain"]),
    freshPitch: "pitch_fine" in fresh ? ([pitch[0] ?? 0, pitch[1] ?? 0] as const) : undefined,
    analysisTicks: numberOf(fresh["changes_after_ticks"]),
  });
}

function kindOf({ warping }: LiveFacts, visible: number): FakeFileHabits["fresh"] {
  if (warping === false) return "unwarped";
  return visible === 1 ? "short loop" : "auto-warped";
}

/** Reads what a clip allows. */
function clipHabits(report: LiveReport): Partial<FakeFileHabits> {
  const [fresh, warping] = [factsOf(report, "fresh-loop"), factsOf(report, "warping")];
  const [markers, ends] = [factsOf(report, "markers"), factsOf(report, "ends")];
  const slack = numbers(ends["taken_seconds_past"]);
  const late = numberOf(warping["after_ticks"]) ?? 0;
  const isTaken = (facts: LiveFacts, key: string) =>
    key in facts ? facts[key] === null : undefined;
  return given({
    createReturnsClip: "returns" in fresh ? fresh["returns"] !== null : undefined,
    unwarpedMarkers: isText(fresh["markers_error"]) ? ("raises" as const) : undefined,
    warpingReadsAtOnce: isTrue(warping["reads_at_once"]),
    warpingAfterTicks: late > 2 ? late : undefined,
    shadowRemoval: String(markers["hidden_removal"]).includes("can't be deleted")
      ? ("can't be deleted" as const)
      : undefined,
    shadowSlope: numberOf(markers["hidden_bpm"]) === 120 ? ("last segment" as const) : undefined,
    markerKeywords: isTrue(markers["keywords_are_right"]),
    markerAtFileEnd: isTaken(markers, "at_file_end"),
    removesLastMarker: isTaken(markers, "last_visible_removal"),
    allowsPastFile: isTaken(ends, "past_the_file"),
    endSlackSeconds: slack.length > 0 ? Math.max(...slack) : undefined,
  });
}

/** Reads Live's display of gains. */
function displayOf(report: LiveReport): Partial<FakeHabits> {
  const points = factsOf(report, "gain")["points"];
  const rows = isList(points) ? points.filter(isList) : [];
  const textAt = (gain: number) => rows.find(([value]) => value === gain)?.[1];
  const negative = textAt(0.2);
  if (typeof negative !== "string") return {};
  const infinity = textAt(0);
  return given({
    gainDigits: /\.(\d+)/.exec(negative)?.[1]?.length ?? 0,
    minus: negative.slice(0, 1),
    infinity: typeof infinity === "string" ? infinity : undefined,
  });
}

/** The median of each call's milliseconds. */
function costsOf({ checks }: LiveReport): Readonly<Record<string, number>> {
  const all = Object.entries(COSTS).map(([name, label]): [string, number | undefined] => {
    const times = checks.flatMap(({ timings }) => timings[name] ?? []).toSorted((a, b) => a - b);
    return [label, times[Math.floor(times.length / 2)]];
  });
  return Object.fromEntries(all.flatMap(([label, ms]) => (ms === undefined ? [] : [[label, ms]])));
}

/** The tempo on the line to the hidden marker, in BPM. */
function guessOf(markers: readonly (readonly [number, number])[]): number | undefined {
  const [first, last] = [markers[0], markers.at(-1)];
  const hidden = markers.length === 2 ? last : markers.at(-2);
  if (first === undefined || hidden === undefined || hidden[0] === first[0]) return undefined;
  return Math.round((6000 * (hidden[1] - first[1])) / (hidden[0] - first[0])) / 100;
}

/** Returns the distance of the segments from the line, which alternates as in the fake. */
function driftOf(visible: readonly (readonly [number, number])[]): number | undefined {
  const [first, second, third] = visible;
  if (first === undefined || second === undefined || third === undefined) return undefined;
  const slope = (a: readonly [number, number], b: readonly [number, number]) =>
    (b[1] - a[1]) / (b[0] - a[0]);
  const [one, other] = [slope(first, second), slope(second, third)];
  return (one - other) / (one + other);
}

/** Leaves out what is undefined. */
function given<Habits extends object>(
  habits: Habits,
): { [Key in keyof Habits]: Exclude<Habits[Key], undefined> } {
  const known = Object.entries(habits).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what is there
  return Object.fromEntries(known) as { [Key in keyof Habits]: Exclude<Habits[Key], undefined> };
}

const isTrue = (fact: LiveFact | undefined) => (typeof fact === "boolean" ? fact : undefined);
const isText = (fact: LiveFact | undefined) => typeof fact === "string";
const numberOf = (fact: LiveFact | undefined) => (typeof fact === "number" ? fact : undefined);

function numbers(fact: LiveFact | undefined): readonly number[] {
  return isList(fact) ? fact.filter((each) => typeof each === "number") : [];
}

function pairs(fact: LiveFact | undefined): readonly (readonly [number, number])[] {
  const rows = isList(fact) ? fact.filter(isList) : [];
  return rows.map(([seconds, beats]) => [Number(seconds), Number(beats)]);
}

function isList(fact: LiveFact | undefined): fact is readonly LiveFact[] {
  return Array.isArray(fact);
}
