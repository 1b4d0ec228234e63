import type { PageCall } from "../parts/browser-blocks.ts";
import { loadBrowserBlocks } from "../parts/parts.ts";
import { ClientError } from "./client-error.ts";
import { mayAsk, pageAddress } from "./local-network.ts";

/**
 * Finds out within two seconds whether the browser blocks a page's calls to a relay (rule W43): before the first
 * call, which the browser may hold until a person answers a prompt, and after a failure.
 * @param failure the error of a call
 * @returns the error to throw: the true cause if the browser blocks, otherwise `failure`
 */
export async function blockedError(
  call: PageCall,
  failure?: ClientError,
): Promise<ClientError | undefined> {
  const { relayUrl, isReached } = call;
  const isUnclear =
    failure === undefined
      ? !isReached && mayAsk(relayUrl)
      : failure.code === undefined && failure.cause instanceof TypeError;
  if (!isUnclear || pageAddress() === undefined) return failure;
  // Without its parts, the client knows no more.
  const parts = await loadBrowserBlocks().catch(() => undefined);
  const block = await parts?.findBlock(call, failure !== undefined);
  if (block === undefined) return failure;
  return new ClientError(block.error, { ...block, cause: failure?.cause });
}
