/** What the importer says of a Live Set file, beside its sentences in `core/live-set/live-set-sentences.ts`. */
export const LIVE_SET_FILE = {
  "format.host-live-set": "a Live Set file",
} as const;
