import type { Importer } from "../../../addon/importer.ts";
import type { PairingCodeAnswer } from "../../../core/protocol/importer-api.ts";
import { formatCodeOver } from "./format-code.ts";

/**
 * Says once how to get another pairing code when the shown one was used or has expired (rule P2). A code that
 * another one replaces was replaced by somebody who sees that one.
 */
export function followCode(
  importer: Pick<Importer, "subscribe">,
  shown: PairingCodeAnswer,
  say: (text: string) => void,
): Disposable {
  let isShown = true;
  const end = importer.subscribe(({ pairing }) => {
    if (!isShown || pairing.code === shown) return;
    isShown = false;
    if (pairing.code === null) say(formatCodeOver({ isUsed: pairing.usedBy !== null }));
  });
  return { [Symbol.dispose]: end };
}
