import { parseAddressRange } from "../../core/quotas/address-tiers.ts";

/** What can be blocked, in the spelling of the records. */
export interface BlockSubject {
  readonly subject: string;
  readonly kind: "address" | "device";
}

/** @returns undefined if the text is neither an address, nor a network, nor looks like a device's id */
export function blockSubjectOf(text: string): BlockSubject | undefined {
  if (/^dev_[\w-]{22}$/.test(text)) return { subject: text, kind: "device" };
  const range = parseAddressRange(text);
  return range && { subject: range.text, kind: "address" };
}
