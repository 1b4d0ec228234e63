import type { MessageKey } from "../../../core/messages/en/english.ts";
import { translateRefusal, translateSentence } from "../../../core/messages/translate-refusal.ts";
import type { Translate } from "../../../core/messages/translate.ts";
import type { RefusalCode } from "../../../core/protocol/refusals.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import type { SoundProblem } from "../../wire/client-error.ts";

/** Sentences of the client without a code of the relay. */
export const CLIENT_SENTENCES = [
  "page.soundGone",
  "page.manyWait",
  "page.tooLargeThere",
  "page.littleRoom",
  "page.relayLost",
  "page.relaySlow",
  "page.routeHere",
  "page.routeNear",
  "page.routeHereOrOff",
  "page.routeNearOrOff",
  "page.routeDenied",
  "page.corsBlocked",
  "page.notRelay",
  "page.foreignAnswer",
  "page.uploadBlocked",
  "page.emptyFile",
  "page.largeFile",
  "page.largeAsWav",
  "page.manyChannels",
  "page.undecodable",
  "page.noSound",
] as const;

/** Texts of the page for refusals that name a program which may not be in use. */
const OWN_WORDS = {
  CODE_UNKNOWN: "page.codeUnknown",
  PACKAGE_TAKEN: "page.packageTaken",
  PACKAGE_IMPORTED: "page.packageImported",
} as const satisfies Partial<Record<RefusalCode, MessageKey>>;

/**
 * Explains any error in the language of `t`, or in its own words if it is unknown. Goes by the error's code, because
 * a part of the client that was loaded later has its own copy of each class.
 */
export function explainIn(t: Translate, error: unknown): string {
  if (error instanceof Error && Reflect.get(error, "code") === "SOUNDS_REFUSED") {
    const problems: readonly SoundProblem[] = Reflect.get(error, "problems");
    return problems.map(({ code, error: sentence }) => explain(t, code, sentence)).join(" ");
  }
  const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
  return explain(t, code, sentenceOf(error));
}

function explain(t: Translate, code: unknown, sentence: string): string {
  for (const [known, key] of Object.entries(OWN_WORDS)) if (code === known) return t(key);
  for (const key of CLIENT_SENTENCES) {
    const translated = translateSentence(t, key, sentence);
    if (translated !== undefined) return translated;
  }
  return translateRefusal(t, typeof code === "string" ? code : undefined, sentence);
}

/** Explains in a sentence why the microphone can't be used. */
export function formatMicrophone(t: Translate, error: unknown): string {
  // Without a secure context, browsers omit the whole interface.
  if (!Reflect.get(globalThis, "isSecureContext")) return t("page.microphoneInsecure");
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError") return t("page.microphoneRefused");
  if (name === "NotFoundError") return t("page.microphoneMissing");
  if (name === "NotReadableError") return t("page.microphoneBusy");
  return sentenceOf(error);
}
