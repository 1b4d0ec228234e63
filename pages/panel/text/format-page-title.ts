import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { isNew } from "../packages/pick-filter.ts";
import { rowsOf } from "../packages/pick-list.ts";

/** Returns the title of the browser's tab, which begins with the number of new packages (rule N27). */
export function formatPageTitle(state: PanelState | null): string {
  const count = state === null ? 0 : rowsOf(state).filter(isNew).length;
  return count === 0 ? "Soundferry" : `(${count}) Soundferry`;
}
