import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { t } from "../../kit/page-language.ts";
import type { PickList } from "./pick-list.ts";

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
