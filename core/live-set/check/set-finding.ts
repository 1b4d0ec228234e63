import type { Placeholder } from "../../text/sentence-of.ts";

/** A fault of a Live Set, or with `notes` something that Live does otherwise and accepts (rule LS21). */
export interface SetFinding {
  readonly code: SetFindingCode;
  /** The element, such as `LiveSet/Tracks/AudioTrack[Id=12]/Name`; the file's name for the container. */
  readonly path: string;
  /** The line where the element starts in the unpacked XML; null for the container. */
  readonly line: number | null;
  readonly sentence: string;
  /** Live's own words when it refuses this, where they are known. */
  readonly live?: string;
}

/** The faults. A `{placeholder}` is filled in by the judge. */
export const FAULTS = {
  BEHIND_GZIP: "The file goes on behind its compressed data.",
  NO_DECLARATION: "The XML has no declaration of version 1.0 and UTF-8.",
  ROOT: "The outermost element is {tag}, not Ableton.",
  LIVE_SET: "Ableton has {count} elements LiveSet, not one.",
  MAJOR_VERSION: "MajorVersion is {value}, not 5.",
  MINOR_VERSION: "MinorVersion {value} isn't written like 11.0_433.",
  NEWER_SCHEMA: "MinorVersion {value} is newer than the newest known one, {newest}.",
  OVERWRITE_NUMBER: "OverwriteProtectionNumber {value} isn't one of Live {major}.",

  MEMBER_MISSING: "{member} is missing.",
  MEMBER_TWICE: "{member} is there {count} times, not once.",
  MEMBER_ORDER: "{member} stands before {other}, not after it.",
  UNKNOWN_CLASS: "{member} is unknown here.",
  UNKNOWN_ATTRIBUTE: "The attribute {attribute} is unknown here.",
  ATTRIBUTE_MISSING: "The attribute {attribute} is missing.",
  CHARACTERS: "There are characters where only elements are.",
  TOO_MANY: "There are {count} elements where at most {most} can be.",
  INT: "{attribute} is {value}, not a whole number.",
  TYPE: "{attribute} is {value}, not {type}.",
  RANGE: "{attribute} is {value}, not from {least} to {greatest}.",
  CHOICE: "{attribute} is {value}, not one of {choices}.",
  FORM: "{attribute} is {value}, which no Set has here.",

  LIST_ID_MISSING: "This member of a list has no Id.",
  LIST_ID_TWICE: "Another member of this list has the Id {id}, too.",
  ID_FORM: "The Id {id} isn't a whole number from 0.",
  POINTEE_ZERO: "A pointee has the Id 0, which means none.",
  POINTEE_TWICE: "{count} pointees have the Id {id}.",
  POINTEE_TOO_HIGH: "The pointee's Id {id} isn't below NextPointeeId, {next}.",
  POINTEE_DANGLING: "No pointee has the Id {id}.",
  REFERENCE: "{what} is {id}, and nothing has this Id.",

  NO_TRACKS: "The Set has no audio or MIDI track.",
  MASTER: "The Set has {count} elements {tag}, not one.",
  NO_SCENES: "The Set has no scene.",
  SLOTS: "{list} has {count} slots, not {scenes}: one for each scene.",
  SENDS_MORE: "The track has {count} sends, but the Set has {returns} returns.",
  SENDS_FEWER: "The track has {count} sends, but the Set has {returns} returns.",
  SENDS_PRE: "SendsPre has {count} entries, not {returns}: one for each return.",
  ROUTING: "The routing {value} leads nowhere.",
  SEQUENCER_PLACE: "The master's FreezeSequencer holds one AudioSequencer with an Id.",
  TEMPO_ONCE: "The tempo {tempo} doesn't stand in the master's envelope, too.",
  TEMPO_DIFFERS: "The tempo is {tempo}, and {other} in the master's envelope.",
  METER_DIFFERS: "The meter is {meter}, and {other} in the master's envelope.",

  MARKERS: "A warped clip has {count} warp markers, not at least 2.",
  MARKERS_FALL: "The warp marker isn't later than the one before, in both times.",
  LOOP: "{start} is {from}, not before {end}, {to}.",
  LOOP_UNWARPED: "An unwarped clip can't loop.",
  BEYOND_FILE: "{member} is {seconds} s in a file of {length} s.",

  PATH_FORM: "{member} is {value}, {how}.",
  PATH_NAMES: "RelativePath and Path name different files: {one} and {other}.",
  PATH_EMPTY: "{member} is empty, so that Live doesn't find the file.",
  MOD_DATE: "LastModDate is {value}, not a time of ten digits.",
  FILE_MISSING: "The file {file} isn't there.",
  FILE_SIZE: "OriginalFileSize is {value}, but the file has {bytes} bytes.",
  FILE_CRC: "OriginalCrc is {value}, but the file's is {crc}.",
  FILE_LENGTH: "{member} is {value}, but the file's is {found}.",
  FILE_INT32: "The file has whole numbers of 32 bits, which Live refuses.",
  FILE_SOUND: "The file can't be used: {why}",
  NO_PROJECT: "There is no folder Ableton Project Info beside the Set.",
} as const satisfies Readonly<Record<string, string>>;

/** Things that are only worth knowing. */
export const NOTES = {
  PLAIN_XML: "The file isn't compressed. Live opens it and compresses it when it saves.",
  GZIP_HEAD: "The gzip header has flags {flags} and time {time}; Live writes 0 and 0.",
  BYTE_ORDER_MARK: "The XML begins with a byte order mark, which Live doesn't write.",
  METER_ONCE: "The meter doesn't stand in the master's envelope, too.",
  SLOT_ID: "The slot's Id is {id}; Live counts slots from 0 as scenes: {at}.",
  RETURNS_LAST: "A return track stands before another track; Live writes them last.",
  CURRENT: "{member} is {value}; Live writes {usual} for such a clip.",
  BEFORE_FILE: "A warp marker is at {seconds} s, before the file's start.",
  BEHIND_FILE: "A warp marker before the last is at {seconds} s in a file of {length} s.",
  NO_PATH: "Path is empty; Live always fills it.",
  ELSEWHERE: "The file is only at its absolute path, not at {file}.",
  NOT_LOOKED_FOR: "The file is in a place that isn't searched: {file}",
  MOD_DATE_DIFFERS: "LastModDate is {value}, but the file's is {found}.",
} as const satisfies Readonly<Record<string, string>>;

const SENTENCES = { ...FAULTS, ...NOTES };
export type SetFindingCode = keyof typeof SENTENCES;

/** The placeholders of a code's sentence, with their values. */
export type FindingParams<Code extends SetFindingCode> = Readonly<
  Record<Placeholder<(typeof SENTENCES)[Code]>, string | number>
>;

export function sentenceOfFinding(code: SetFindingCode): string {
  return SENTENCES[code];
}

/** The words with which Live refuses a fault, as far as they are known. */
export const LIVE_REFUSALS: Partial<Readonly<Record<SetFindingCode, string>>> = {
  MINOR_VERSION: "Unsupported MinorVersion ({value})",
  NEWER_SCHEMA: "Unsupported MinorVersion ({value})",
  MEMBER_MISSING: 'Member "{member}" of Class {class} is missing, path: {path}',
  UNKNOWN_CLASS: "Unknown class '{member}'",
  UNKNOWN_ATTRIBUTE: "Unknown attribute '{attribute}'",
  INT: "Unexpected value for int64 node",
  LIST_ID_MISSING: "Not all list members have Ids. (at line {line})",
  LIST_ID_TWICE: "Non-unique list ids",
  POINTEE_ZERO: "Invalid Pointee Id.",
  POINTEE_TOO_HIGH: "Invalid Pointee Id.",
  POINTEE_TWICE: "PointeeId {id} is used {count} times",
  NO_TRACKS: "Set has no player tracks",
  SLOTS: "Slot Count Mismatch",
  SENDS_MORE: "Track has more send knobs than set has return tracks",
  SEQUENCER_PLACE: "Unknown class 'LomId'",
};
