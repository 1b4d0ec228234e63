import type { VNode } from "preact";
import { useMemo, useEffect, useState } from "preact/hooks";
import { t } from "../../kit/page-language.ts";
import { usePanel, type PanelView } from "../panel-store.ts";
import { isImportable, rowsOf, type PickList } from "./pick-list.ts";

/**
 * Imports every package that waits, and then counts the packages left. Live's dialog lacks it, because it takes one
 * request.
 */
export function ImportAll({ view: { state, busy } }: { readonly view: PanelView }): VNode | null {
  const { store } = usePanel();
  const count = useMemo(
    () => (state === null ? 0 : rowsOf(state).filter(isImportable).length),
    [state],
  );
  if (state === null || store.isDialog) return null;
  const running = state.runs.length;
  const isBusy = busy.has("import all");
  const begin = () =>
    store.act("all", "import", () => store.calls.send("importAll", { background: true }));
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

interface NewPackagesProps {
  readonly list: PickList;
  /** Shows the list where there is room for one pane. */
  readonly onShow: () => void;
}

/** A hint that packages have arrived below the rows in sight. A click scrolls to them. */
export function NewPackages({ list, onShow }: NewPackagesProps): VNode {
  const unseen = useUnseenRows(list);
  return (
    <div class="new-packages">
      {unseen > 0 && (
        <button
          type="button"
          class="plain"
          aria-label={t("panel.show-new-packages", { count: unseen })}
          onClick={() => {
            onShow();
            const scroller = findScroller();
            scroller?.scrollTo({ top: scroller.scrollHeight });
          }}
        >
          {t("panel.new-packages", { count: unseen })} <span aria-hidden="true">↓</span>
        </button>
      )}
    </div>
  );
}

/** Counts rows that were appended since the view was opened and haven't been in sight. */
function useUnseenRows({ opened, rows }: PickList): number {
  const [shown, setShown] = useState({ opened, seen: opened.count });
  const count = rows.length;
  useEffect(() => {
    const scroller = findScroller();
    if (scroller === null) return undefined;
    const look = (): void => {
      const rowHeight = scroller.querySelector("[data-key]")?.clientHeight ?? 0;
      const end = scroller.scrollTop + scroller.clientHeight + 1;
      const inSight = rowHeight === 0 ? 0 : Math.floor(end / rowHeight);
      setShown((before) => {
        const known = before.opened === opened ? before.seen : opened.count;
        const seen = Math.max(known, Math.min(count, inSight));
        return seen === before.seen && before.opened === opened ? before : { opened, seen };
      });
    };
    look();
    scroller.addEventListener("scroll", look, { passive: true });
    return () => scroller.removeEventListener("scroll", look);
  }, [count, opened]);
  return count - (shown.opened === opened ? shown.seen : opened.count);
}

function findScroller(): Element | null {
  return document.querySelector("[data-pane=list] .pick-list");
}
