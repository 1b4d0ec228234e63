import { ClientError } from "../../../client/client-error.ts";
import type { MessageKey } from "../../../core/messages/en/english.ts";
import { translateRefusal, translateSentence } from "../../../core/messages/translate-refusal.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import type { RefusalCode } from "../../../core/protocol/refusals.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { t } from "../../../web/page-language.ts";

/** Sentences of the client that have no code of the relay. */
const CLIENT_SENTENCES = [
  "page.soundGone",
  "page.relayLost",
  "page.relaySlow",
  "page.emptyFile",
  "page.largeFile",
  "page.largeAsWav",
  "page.manyChannels",
  "page.undecodable",
] as const;

/** Refusals that name a program which may not be in play; the page has its own words. */
const OWN_WORDS = {
  CODE_UNKNOWN: "page.codeUnknown",
  PACKAGE_TAKEN: "page.packageTaken",
  PACKAGE_IMPORTED: "page.packageImported",
} as const satisfies Partial<Record<RefusalCode, MessageKey>>;

/** Any error as a sentence in the page's language, as far as it is known. */
export function explain(error: unknown): string {
  const sentence = sentenceOf(error);
  if (error instanceof Refusal) return translateRefusal(t, error.code, sentence);
  if (!(error instanceof ClientError)) return sentence;
  for (const [code, key] of Object.entries(OWN_WORDS)) if (error.code === code) return t(key);
  for (const key of CLIENT_SENTENCES) {
    const translated = translateSentence(t, key, sentence);
    if (translated !== undefined) return translated;
  }
  return translateRefusal(t, error.code, sentence);
}
