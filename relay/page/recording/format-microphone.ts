import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { t } from "../../../web/page-language.ts";

/** Why the microphone can't be used, as a sentence. */
export function formatMicrophone(error: unknown): string {
  // Browsers leave the whole interface out.
  if (!isSecureContext) return t("page.microphoneInsecure");
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError") return t("page.microphoneRefused");
  if (name === "NotFoundError") return t("page.microphoneMissing");
  if (name === "NotReadableError") return t("page.microphoneBusy");
  return sentenceOf(error);
}
