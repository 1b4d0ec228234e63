import type { RefusalCode } from "../../core/protocol/refusals.ts";

/** Codes of the client itself. */
export type OwnErrorCode =
  | AudioErrorCode
  /** There is no token yet. */
  | "NOT_PAIRED"
  /** A sound's file was changed or removed, or its source has no bytes. */
  | "SOUND_UNREADABLE"
  /** Sounds that no relay would accept; `problems` has every one. */
  | "SOUNDS_REFUSED"
  /** The computer has too little room for these sounds. */
  | "ROOM_TOO_SMALL"
  /** A page loaded over https can't call a relay over http. */
  | "MIXED_CONTENT"
  /** The browser stores nothing for this page. */
  | "STORAGE_FORBIDDEN"
  /** Another tab is sending this package. */
  | "SENT_ELSEWHERE"
  /** An unfinished package that is no longer stored. */
  | "UNFINISHED_GONE"
  /** `send` was stopped by its signal. */
  | "SEND_ABORTED";

/** Codes of `@soundferry/client/audio`, about a file that can't become a WAV. */
export type AudioErrorCode =
  | "SOUND_EMPTY"
  /** Larger than a whole package may be, itself or as a WAV. */
  | "SOUND_TOO_LARGE"
  /** More than two. */
  | "SOUND_CHANNELS"
  /** The browser can't decode it. */
  | "SOUND_UNDECODABLE";

/** The `code` of a `ClientError`. A newer relay may send others, so a switch needs a default. */
export type ClientErrorCode = RefusalCode | OwnErrorCode;
