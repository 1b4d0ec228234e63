/** Texts on Live Set files, beside the sentences in `core/live-set/live-set-sentences.ts`. */
export const LIVE_SET_FILE = {
  "format.host-live-set": "a Live Set file",
} as const;
