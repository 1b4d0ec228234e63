import { Refusal } from "../../core/protocol/refusal.ts";
import { ClientError } from "./client-error.ts";

// A file of its own, because `/client.js` is without the table of refusals.

/** Converts the relay's refusals to this client's errors. */
export async function withClientErrors<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new ClientError(error.message, { code: error.code, cause: error });
  }
}
