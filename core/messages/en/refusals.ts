import { REFUSALS, OWN_REFUSALS, type RefusalCode } from "../../protocol/refusals.ts";

/** A refusal's sentence by its key, such as `refusal.DISK_FULL`. */
type RefusalTexts = {
  readonly [Code in RefusalCode as `refusal.${Code}`]: (typeof REFUSALS)[Code]["sentence"];
} & {
  readonly [
    Code in keyof typeof OWN_REFUSALS as `refusal.${Code}.own`
  ]: (typeof OWN_REFUSALS)[Code];
};

/** The relay's refusals. In English they are the relay's own sentences. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- built from the table that its type is made of
export const REFUSAL_TEXTS = Object.fromEntries([
  ...Object.entries(REFUSALS).map(([code, { sentence }]) => [`refusal.${code}`, sentence]),
  ...Object.entries(OWN_REFUSALS).map(([code, sentence]) => [`refusal.${code}.own`, sentence]),
]) as RefusalTexts;
