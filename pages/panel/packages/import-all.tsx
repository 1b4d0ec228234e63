import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { t } from "../../kit/text.tsx";
import { usePanel } from "../panel-context.ts";
import type { PanelView } from "../panel-store.ts";
import { isImportable } from "./pick-list.ts";
import { rowsOf } from "./rows-of.ts";

/** Imports every package that waits; its box then counts those to go. Not in Live's dialog, which takes one request. */
export function ImportAll({ view: { state, busy } }: { readonly view: PanelView }): VNode | null {
  const { store } = usePanel();
  const count = useMemo(
    () => (state === null ? 0 : rowsOf(state).filter(isImportable).length),
    [state],
  );
  if (state === null || store.isDialog) return null;
  const running = state.runs.length;
  const isBusy = busy.has("import all");
  const begin = () => store.act("all", "import", () => store.calls.importAll());
  return (
    <div class="import-all">
      {running > 0 ? (
        <span class="box-result tone quiet">{t("panel.importing-all", { count: running })}</span>
      ) : (
        <button
          type="button"
          class={count > 1 ? "primary" : ""}
          aria-disabled={isBusy || count === 0}
          data-then="package-title"
          onClick={() => count > 0 && void begin()}
        >
          {count === 0 ? t("panel.nothing-to-import") : t("panel.import-all", { count })}
        </button>
      )}
    </div>
  );
}
