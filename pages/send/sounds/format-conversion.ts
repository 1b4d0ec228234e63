import type { ConvertedSound } from "../../../client/audio/convert.ts";
import { t } from "../../kit/page-language.ts";

/** What was done to a file and what it means, for the sender; nothing for a WAV. */
export function formatConversion({
  from,
  header,
}: Pick<ConvertedSound, "from" | "header">): readonly string[] {
  if (from === null) return [];
  const facts = { bits: header.bitsPerSample, kilohertz: header.sampleRateHz / 1000 };
  const { name: kind } = from;
  return [
    kind === null ? t("page.converted", facts) : t("page.convertedFrom", { kind, ...facts }),
    ...(from.sampleRateHz === null ? [t("page.rateUnknown")] : []),
    ...(kind !== null && from.isPadded ? [t("page.padded", { kind })] : []),
  ];
}
