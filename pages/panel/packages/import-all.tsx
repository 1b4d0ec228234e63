import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { t } from "../../kit/page-language.ts";
import { Dialog } from "../../kit/shell/dialog.tsx";
import { usePanel, type PanelView } from "../panel-store.ts";
import { rowsOf } from "./pick-list.ts";
import { isImportable } from "./pick-row.ts";

/**
 * Imports every package that waits, after a question, then counts the packages left and can be stopped (rule N23).
 * Live's dialog lacks it, because it takes one request.
 */
export function ImportAll({ view }: { readonly view: PanelView }): VNode | null {
  const { state, busy, errors } = view;
  const { store } = usePanel();
  const [isAsking, setIsAsking] = useState(false);
  const count = useMemo(
    () => (state === null ? 0 : rowsOf(state).filter(isImportable).length),
    [state],
  );
  if (state === null || store.isDialog) return null;
  const begin = (): void => {
    setIsAsking(false);
    void store.act("all", "import", () => store.calls.send("importAll", { background: true }));
  };
  const ask = (): void => {
    if (count === 1) begin();
    else if (count > 1) setIsAsking(true);
  };
  const error = errors.get("all");
  return (
    <>
      <div class="import-all">
        {state.runs.length > 0 ? (
          <Running view={view} />
        ) : (
          <button
            type="button"
            class={count > 1 ? "primary" : ""}
            aria-disabled={busy.has("import all") || count === 0}
            data-then="package-title"
            onClick={ask}
          >
            {count === 0 ? t("panel.nothing-to-import") : t("panel.import-all", { count })}
          </button>
        )}
        {isAsking && <Question count={count} onYes={begin} onNo={() => setIsAsking(false)} />}
      </div>
      {error !== undefined && (
        <p class="error" role="alert" title={error}>
          {error}
        </p>
      )}
    </>
  );
}

/** The number of packages left, and Stop while some of them were begun together. */
function Running({ view: { state, busy } }: { readonly view: PanelView }): VNode {
  const { store } = usePanel();
  const runs = state?.runs ?? [];
  const canStop = runs.some(({ isOfAll }) => isOfAll === true);
  const stop = (): Promise<void> => store.act("all", "stop", () => store.calls.send("stopAll"));
  return (
    <>
      <span class="box-result tone quiet" id="import-all-left">
        {t("panel.importing-all", { count: runs.length })}
      </span>
      {canStop && (
        <button
          type="button"
          aria-label={t("panel.stop-all")}
          aria-disabled={busy.has("stop all")}
          data-then="package-title"
          onClick={() => void stop()}
        >
          {t("panel.stop")}
        </button>
      )}
    </>
  );
}

interface QuestionProps {
  readonly count: number;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

function Question({ count, onYes, onNo }: QuestionProps): VNode {
  return (
    <Dialog
      title={t("panel.import-all-question", { count })}
      onClose={onNo}
      actions={
        <>
          <button type="button" onClick={onNo}>
            {t("panel.cancel")}
          </button>
          <button type="button" class="primary" onClick={onYes}>
            {t("panel.import")}
          </button>
        </>
      }
    >
      <p>{t("panel.import-all-what")}</p>
    </Dialog>
  );
}
