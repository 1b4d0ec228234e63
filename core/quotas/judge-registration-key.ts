/** A registration key, as far as it decides about a registration (rule AD13). */
export interface RegistrationKey {
  readonly name: string;
  /** null for a key without an end. */
  readonly endsAt: number | null;
  /** null for a key without a limit. */
  readonly maxUses: number | null;
  readonly uses: number;
  readonly removedAt: number | null;
}

/** The reason why a key can't be used any more. */
export type KeyRefusal = "removed" | "ended" | "used-up";

/** Judges whether a computer can register with a key; undefined if it can. */
export function judgeRegistrationKey(
  { endsAt, maxUses, uses, removedAt }: RegistrationKey,
  now: number,
): KeyRefusal | undefined {
  if (removedAt !== null) return "removed";
  if (endsAt !== null && now >= endsAt) return "ended";
  return maxUses !== null && uses >= maxUses ? "used-up" : undefined;
}
