import type { Translate } from "../../core/messages/translate.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";

/** Why the microphone can't be used, as a sentence. */
export function formatMicrophone(t: Translate, error: unknown): string {
  // Browsers leave the whole interface out.
  if (!isSecureContext) return t("page.microphoneInsecure");
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError") return t("page.microphoneRefused");
  if (name === "NotFoundError") return t("page.microphoneMissing");
  if (name === "NotReadableError") return t("page.microphoneBusy");
  return sentenceOf(error);
}
