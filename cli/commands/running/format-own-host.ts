import type { HostState } from "../../../addon/state/importer-state.ts";

/** Where imports go, such as `Live 12.1.5 Standard`. */
export function formatOwnHost({ label, trouble }: HostState): string {
  return trouble === null ? label : `${label}, once it answers`;
}
