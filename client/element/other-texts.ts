import type { MessageKey } from "../../core/messages/en/english.ts";
import { CLIENT_SENTENCES } from "../send/words/explain.ts";

/** Texts of the sentences and values that the replaceable ones are built from. */
export const OTHER_TEXTS = [
  "format.bytes",
  "format.kilobytes",
  "format.megabytes",
  "format.gigabytes",
  "format.seconds",
  "format.status-imported",
  "format.status-skipped",
  "format.status-failed",
  "format.all-imported",
  "format.some-imported",
  "format.none-imported",
  "page.checking",
  "page.incomplete",
  "page.dismissed",
  "page.notFollowed",
  "page.notSelected",
  "page.notWanted",
  "page.packageTaken",
  "page.packageImported",
  ...CLIENT_SENTENCES,
  "page.microphoneInsecure",
  "page.microphoneRefused",
  "page.microphoneMissing",
  "page.microphoneBusy",
] as const satisfies readonly MessageKey[];
