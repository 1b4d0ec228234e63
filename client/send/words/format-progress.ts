import type { Translate } from "../../../core/messages/translate.ts";
import { formatBytes } from "../../../core/text/format-number.ts";
import type { SendProgress } from "../send-options.ts";

/** A package's progress as text and as a fraction from 0 to 1, null if unknown. */
export function formatProgress(
  t: Translate,
  progress: SendProgress | null,
): { readonly words: string; readonly part: number | null } {
  if (progress === null) return { words: t("page.starting"), part: null };
  const { phase, doneBytes, totalBytes } = progress;
  const part = totalBytes > 0 ? Math.min(1, doneBytes / totalBytes) : null;
  const amount = { done: formatBytes(t, doneBytes), total: formatBytes(t, totalBytes) };
  if (phase === "hashing") return { words: t("page.preparing", amount), part };
  return doneBytes < totalBytes
    ? { words: t("page.sending", amount), part }
    : { words: t("page.finishing"), part };
}
