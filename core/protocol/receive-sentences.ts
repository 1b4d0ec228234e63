import { sentencesOf } from "../text/sentence-of.ts";

/** The sentences of an importer in a browser (rule RC1), beside those of every importer in `run-sentences.ts`. */
export const RECEIVE_SENTENCES = {
  RECEIVE_OWN_RELAY: "This page receives from its own relay only.",
  RECEIVE_OTHER_RELAY:
    "Another relay answers here now. It gets nothing of what this browser knows.",
  RECEIVE_UNKNOWN:
    "The relay doesn't know this browser any more. Forget this browser in the settings, then receive again.",
  RECEIVE_ELSEWHERE: "Another tab of this browser receives now.",
  RECEIVE_STORAGE:
    "The browser stores nothing for this page. Leave its private window, or free some space on its disk.",
  RECEIVE_NO_WORKER: "This browser can't save sounds from a page. Update it, or use another one.",
  RECEIVE_NO_ROOM:
    "The browser has no room for {limit} of sounds. Free some space and import again.",
  RECEIVE_NO_PLACE: "Choose where imports are saved: in a folder, or as a ZIP.",
  RECEIVE_FOLDER_CLOSED: "The browser may not write into “{name}”. Import again and allow it.",
  RECEIVE_FOLDER_GONE: "The folder “{name}” isn't there any more. Choose it again, or another one.",
  RECEIVE_NOT_WRITTEN:
    "{file} couldn't be written into the folder. Check its disk, then import again.",
  RECEIVE_PLACE_WAITS: "An import is running. Change the place when it has finished.",
  RECEIVE_NOT_FORGOTTEN: "The relay hasn't forgotten this browser. {problem}",
  RECEIVE_NOT_HERE: "A browser can't do that.",
} as const satisfies Readonly<Record<string, string>>;

export const receiveSentence = sentencesOf(RECEIVE_SENTENCES);
