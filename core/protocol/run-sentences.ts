import { LAYOUT_SENTENCES } from "../layout/layout-sentences.ts";
import { LIVE_SET_SENTENCES } from "../live-set/live-set-sentences.ts";
import { PACKAGE_SIZE, RESULTS_SIZE } from "../text/format-limit.ts";
import { sentencesOf } from "../text/sentence-of.ts";
import { SAVED_AS_FILES } from "./package-status.ts";

/**
 * Every note, error and reason of an import, by its code (rule N28): the English sentence of reports, with
 * `{placeholders}`. The panel finds the code of a sentence by its template and shows its own language's, so what a run
 * produces is written here first. Refusals of the relay are in `refusals.ts`.
 */
export const RUN_SENTENCES = {
  // a sound that is not in a Set, or not as planned
  SAVED_AS_FILES,
  PLACED_IN_PREVIEW: "Placed in Soundferry's preview, not in Live.",
  TRACKS_FULL: "{live} takes {count} tracks in a Set. This sound is in the sounds folder.",
  SCENE_TAKEN:
    "{live} takes {count} scenes in a Set, so the clips are in an empty scene that was there.",
  OPEN_IN_LIVE: "This clip was open in Live, so Soundferry left it as it is.",
  CHANGED_BY_PERSON: "You changed this clip after the import; it was not checked again.",
  ON_EARLIER_TRACK: "It is on its track from the earlier import.",
  NO_EARLIER_TRACK: "There is no earlier track for it, so it got a new one.",
  EARLIER_TRACK_UNUSABLE: "Its earlier track is frozen or takes no audio, so it got a new one.",
  NO_RESULT: "No result was reported for this sound.",
  RESULTS_SHORTENED: `Shortened: the results of a package have room for ${RESULTS_SIZE}.`,
  NOT_CHECKED: "Not checked: {settings}.",

  ...LAYOUT_SENTENCES,

  // the sounds' files
  FILE_LOST: "Its file was lost at the relay.",
  FILE_NOT_AT_RELAY: "The relay doesn't have {file}.",
  FILE_SIZE_UNKNOWN: "{file}: its size is not known.",
  FILE_OTHER_PART: "{file}: the relay sent another part than requested.",
  FILE_TOO_LONG: "{file}: the relay sent more than the file has.",
  FILE_ENDED_EARLY: "{file}: the connection ended too early.",
  FILE_SILENT: "{file}: no data for {seconds} s.",
  FILE_HEADER_LONG: "{file}: its header is too long to preview before the import.",
  FILE_UNREADABLE: "{file} can't be read.",
  MAYBE_IN_CLOUD: "It may be only in the cloud: download it, then try again.",
  FILE_IN_ICLOUD: "{file} is still in iCloud: download it in the Finder, then try again.",
  FILE_CHANGED: "{file} changed while it was read.",
  FILE_OUTSIDE: "{file} is outside the package's folder.",
  FILE_MISSING: "{file} is not in the package's folder.",
  NOT_A_FILE: "{file} is not a file.",
  FILE_TOO_LARGE: "{file} is too large. The limit is {limit}.",
  JSON_INVALID: "{file} isn't valid JSON (line {line}, column {column}).",
  JSON_ENCODED_FILE: "{file} is {encoding}. Save it as plain UTF-8 text.",
  TAKES_OVER: `{file}: this sound takes the package over ${PACKAGE_SIZE}.`,
  FOLDER_ABSENT: "There is no folder {folder}.",
  FOLDER_UNREADABLE: "The folder {folder} can't be read.",
  NOT_IN_INBOX: "The inbox has no package {id}.",
  NOT_AT_RELAY: "The relay has no package {id} for this computer.",

  // the run
  RUN_CANCELLED: "The import was cancelled.",
  RUN_FAILED: "The import failed.",
  CONNECTION_LOST: "The connection was lost. Nothing was placed. Import again to continue.",
  LAST_PROBLEM: "Last problem: {problem}",
  RELAY_SILENT: "The relay didn't answer for {seconds} s.",
  NONE_CHOSEN: "Choose at least one sound.",
  NAMED_TWICE: "Several sounds are called {name}. Use an id: {ids}.",
  TRACKS_NOT_REUSED: "This host can't import on the same tracks.",
  OTHER_SOUNDS_RUN: "Other sounds of {title} are being imported. Try again after that.",
  IMPORT_RUNS: "{title} is being imported. Cancel that first.",
  CLOSING: "Soundferry is closing.",
  INTERRUPTED: "An earlier import of {title} was interrupted.",
  STEPS_DONE: "Done: {steps}.",
  STEPS_BEGUN: "Maybe done: {steps}.",
  DELETE_REST: "Delete what you don't want, then import again.",

  // any host
  HOST_COULD_NOT: "{host} couldn't {step}.",
  HOST_COULD_NOT_BECAUSE: "{host} couldn't {step}: {reason}.",
  HOST_SILENT: "{host} doesn't answer.",
  TRACK_STAYS: "Its empty track stays.",
  STAYS_IN_SET: "Still in the Set: {names}.",
  STAYS_IN_SESSION: "Still in the session: {names}.",
  TEMPO_STAYS: "The tempo stays at {bpm} BPM.",
  NOT_IN_PREVIEW: "The preview doesn't have {name}.",

  // Live
  LIVE_TOO_OLD:
    "This is {live}. Soundferry places sounds in Live 11.3.25 or later 11.3, or in 12.0.5 or later. The update is free.",
  LIVE_ABSENT:
    "Live doesn't answer. Open Live and choose Soundferry under Settings → Link, Tempo & MIDI; `soundferry live status` says more.",
  LIVE_BUSY: "Live didn't answer. Close its open menus and dialogs.",
  SCRIPT_VERSION:
    "Live runs version {other} of the Soundferry control surface, and this is {own}. Run `soundferry live install`, then restart Live.",
  SCRIPT_UNKNOWN:
    "Live runs another version of the Soundferry control surface, and this is {own}. Run `soundferry live install`, then restart Live.",
  LIVE_STOPPED:
    "Live stopped answering while it placed {name}. Import again once Live answers: it then says what its Set holds.",
  SET_CLOSED: "The Set was closed while Live placed {name}.",
  SET_HOLDS: "The Set that is open now holds {things}.",
  CLIP_ABSENT: "Live doesn't have the clip {name}.",
  TEMPO_HEARD: "Live heard {bpm} BPM.",
  TEMPO_NEAR: "Live detects {heldBpm} BPM, close enough to {bpm}.",
  TEMPO_UNTOLD: "Live can't be told this loop's tempo without the Soundferry control surface.",
  CLIP_MADE_AGAIN:
    "Live detected {heldBpm} BPM, so the clip was recreated with the Set at {bpm} BPM.",
  BOUNDS_REFUSED: "Live refused to be told where its clip starts and ends.",
  SETTING_REFUSED: "Live refused its {setting}.",
  SETTING_REFUSED_BECAUSE: "Live refused its {setting}: {reason}.",
  ENDS_EARLY: "It ends at {seconds} s; its file has {fileSeconds} s.",
  TRANSPOSED: "It is transposed by {semitones} semitones and {cents} cents.",
  TRACK_ARMED: "Its track is armed.",
  TRACK_INPUT: "Its track's input is “{input}”.",
  TRACK_FADER: "Its track's fader is not at 0 dB.",
  SCENE_NAMED: "Its scene is called “{held}”, not “{name}”.",
  SCENE_COLOR: "Its scene has color {heldColor}, not color {color}.",
  SCENE_COLORLESS: "Its scene has no color, not color {color}.",
  SET_TEMPO_DIFFERS: "The Set's tempo is {heldBpm} BPM, not {bpm} BPM.",
  SET_TEMPO_OTHER: "The Set's tempo is {heldBpm} BPM, not {bpm}.",
  SET_TEMPO_UNKNOWN: "The Set's tempo is not known, not {bpm} BPM.",
  COLLECT_AND_SAVE: "Use Collect All and Save to keep it with your Set.",
  PLAYS_FROM_FOLDER: "Live plays its file from the sounds folder.",
  GAIN_IN_COPY_RANGE:
    "A gain of {gain} is applied in a copy of its file, because a track's volume goes from {leastDb} to {mostDb} dB.",
  GAIN_IN_COPY_REFUSED:
    "A gain of {gain} is applied in a copy of its file, because Live couldn't set its track volume.",
  GAIN_ON_TRACK: "Its gain of {gain} is set as track volume.",
  NO_GAINED_COPY: "Couldn't make a copy with a gain of {gain}. {problem}",
  CLIP_UNREADABLE: "{name}: it can't be read.",

  // a DAWproject file
  PROJECT_UNWARPED:
    "A DAWproject can't leave the tempo to be guessed: the clip is unwarped and loops over the whole file.",
  PROJECT_FILLED:
    "A DAWproject can't leave the tempo to be guessed: the file is warped to fill {beats}.",
  PROJECT_LOUD: "The gain of +{db} dB is set as track volume; many DAWs allow at most +6 dB.",
  NOT_IN_PROJECT: "The DAWproject file doesn't contain {name}.",
  PROJECT_UNREADABLE: "{file} can't be read back. It stays beside the sounds.",

  ...LIVE_SET_SENTENCES,

  // the disk
  DISK_FULL:
    "The disk with {folder} is full. Free some space and import again; downloaded sounds are kept.",
  DISK_READ_ONLY:
    "Soundferry can't save to {folder}: it is read-only, or Soundferry may not use it. Choose another folder in the settings.",
  DISK_MANY_FILES: "Too many files are open on this computer. Close a program and import again.",
  DISK_AWAY: "The drive with {folder} isn't there. Plug it in and import again.",
  DISK_ERROR:
    "The disk with {folder} reports an error. Check it, then import again; downloaded sounds are kept.",
  DISK_NAME_LONG:
    "A name in {folder} is too long for its disk. Choose a folder with a shorter path in the settings.",
  DISK_ICLOUD:
    "A file in {folder} is in iCloud and not on this Mac. Download the folder in the Finder, then import again.",
  DISK_BUSY: "Another program uses a file in {folder}. Close it and import again.",
  DISK_FOLDER_IN_WAY:
    "{name} is a folder, but Soundferry needs the name for a file. Rename it and import again.",
  FOLDER_CHANGE_WAITS: "An import is running. Change the sounds folder when it has finished.",
  FOLDER_SET_BY: "The sounds folder is set by {variable}.",
  FOLDER_SET: "The sounds folder was set when Soundferry was started.",
  FOLDER_OF_EXTENSION: "Live lets its extension write into this folder only.",
  FOLDER_IN_USE:
    "Soundferry uses {folder} for something else. Choose another folder for the sounds.",
  NOT_A_FOLDER: "{folder} isn't a folder.",
  FOLDER_PATH_SHORT: "Enter the folder's whole path, from the disk or from ~ on.",
  DISK_NEARLY_FULL: `The disk with {folder} is nearly full: a package may need ${PACKAGE_SIZE}. Free some space, or choose a folder on another disk.`,
  DRIVE_AWAY:
    "The drive with the sounds folder {folder} isn't there. Plug it in, or choose another folder.",
  FOLDER_NOT_MADE:
    "Can't create the folder {folder}: {reason}. Check the path and its permissions.",
  FOLDER_STUCK: "The folder {folder} can't be read or removed.",
  FOLDERS_NOT_SHOWN: "Soundferry can't show folders here.",
  FOLDER_NOT_SHOWN: "The folder couldn't be shown.",

  // the folder of Live's scripts
  SCRIPT_DISK_FULL: "The disk is full. Free some space and try again.",
  SCRIPT_READ_ONLY:
    "Soundferry can't write to {folder}. Make it writable, close programs that use it, and try again.",
  SCRIPT_BUSY: "Another program uses {folder}. Close it and try again.",
  SCRIPT_IN_WAY: "{folder} is in the way, because it isn't a folder. Move it away and try again.",
  SCRIPT_DISK_ERROR: "{folder} can't be used: the disk reports an error. Check it and try again.",

  // the way to the relay
  TRY_AGAIN: "Try again.",
  TRY_LATER: "Try again later.",
  RELAY_CHANGE_WAITS: "An import is running. Change the relay when it has finished.",
  RELAY_SET_BY: "The relay's address is set by {variable}.",
  RELAY_SET: "The relay's address was set when Soundferry was started.",
  NO_RELAY: "No relay is set. Enter its address in the panel.",
  RELAY_NOT_FOUND: "{relay} can't be found. Check the relay's address and your connection.",
  RELAY_NOT_RUNNING: "Nothing answers at {relay}. Is the relay running?",
  RELAY_LATE: "{relay} did not answer in time.",
  RELAY_UNREACHABLE: "{relay} can't be reached from here. Check your connection.",
  RELAY_UNREACHED: "{relay} can't be reached ({status}).",
  RELAY_LOST: "The connection to {relay} was lost.",
  RELAY_TROUBLE: "The relay at {relay} has a problem ({status}).",
  RELAY_REFUSED: "The relay at {relay} refused the request ({status}).",
  RELAY_FOREIGN:
    "Something between this computer and the relay answers in its place. Open a page in your browser: a Wi-Fi sign-in may be waiting.",
  RELAY_OTHER_SERVER: "The server at {relay} is not a Soundferry relay. Check the address.",
  RELAY_REDIRECTS: "{relay} redirects to {address}. Enter that as the relay's address.",
  RELAY_NOT_SOUND: "Something other than the sound came from {relay}.",
  RELAY_REPLACED: "Another relay answers at {relay} now.",
  RELAY_CERTIFICATE_OLD: "The certificate of {relay} has expired. Tell the relay's operator.",
  RELAY_CERTIFICATE_OTHER:
    "The certificate at {relay} belongs to another address. Check the relay's address.",
  RELAY_CERTIFICATE_UNTRUSTED:
    "The certificate of {relay} isn't trusted. Tell the relay's operator.",
  RELAY_WITHOUT_HTTPS: "{relay} doesn't support https. In your own network, try http:// instead.",
} as const satisfies Readonly<Record<string, string>>;

export type RunCode = keyof typeof RUN_SENTENCES;

/** Sentences that can follow another one in the same text. */
export const FOLLOWING_SENTENCES: ReadonlySet<string> = new Set<RunCode>([
  "MAYBE_IN_CLOUD",
  "LAST_PROBLEM",
  "STEPS_DONE",
  "STEPS_BEGUN",
  "DELETE_REST",
  "TRACK_STAYS",
  "STAYS_IN_SET",
  "STAYS_IN_SESSION",
  "TEMPO_STAYS",
  "SET_HOLDS",
  "TRY_AGAIN",
  "TRY_LATER",
]);

/** Fills in the sentence of a code. */
export const runSentence = sentencesOf(RUN_SENTENCES);
