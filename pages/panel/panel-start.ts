import type { PanelStart } from "../../core/protocol/panel-api.ts";

/**
 * Reads the start parameters: from the `#start` element in Live's dialog, else from the secret in the
 * address. undefined without a secret (rule N1).
 * @param written the element's text
 * @param fragment of the address, with its `#`
 */
export function readPanelStart(written: string, fragment: string): PanelStart | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the importer itself writes it
  const start = JSON.parse(written) as PanelStart | null;
  if (start !== null) return start;
  const secret = fragment.slice(1);
  return secret === "" ? undefined : { address: "", secret, isDialog: false };
}
