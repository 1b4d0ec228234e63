import type { CallFacts } from "../parts/causes.ts";
import { loadCauses } from "../parts/parts.ts";
import { ClientError } from "./client-error.ts";
import { mayAsk, pageAddress } from "./local-network.ts";

/**
 * Finds the true cause of a call without an answer within two seconds (rule W43). Before a page's first call, says
 * whether the browser would hold or block it.
 * @param failure what is known of a call that has failed
 * @returns the error to throw; undefined if nothing is in the way of the first call
 */
export async function findCause(
  call: CallFacts,
  failure?: ClientError,
): Promise<ClientError | undefined> {
  const isUnclear =
    failure === undefined
      ? !call.isReached && pageAddress() !== undefined && mayAsk(call.relayUrl)
      : failure.code === "NO_ANSWER" || failure.code === "TIMEOUT";
  if (!isUnclear) return failure;
  // Without its parts, the client knows no more.
  const parts = await loadCauses().catch(() => undefined);
  const found = await parts?.findCause(call, failure?.cause);
  if (found === undefined) return failure;
  const { error, ...facts } = found;
  return new ClientError(error, { ...facts, cause: failure?.cause });
}
