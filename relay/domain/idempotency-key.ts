import { MAX_IDEMPOTENCY_KEY_LENGTH } from "../../core/limits.ts";
import { refusal } from "../../core/protocol/refusal.ts";

/** @throws {Refusal} 422 IDEMPOTENCY_KEY_WRONG */
export function requireIdempotencyKey(key: string): void {
  if (key.length < 1 || key.length > MAX_IDEMPOTENCY_KEY_LENGTH) {
    throw refusal("IDEMPOTENCY_KEY_WRONG");
  }
}
