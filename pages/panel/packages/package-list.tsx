import type { VNode } from "preact";
import { t } from "../../kit/page-language.ts";
import { type PickItem, PickList } from "../../kit/shell/pick-list.tsx";
import { usePanel, type PanelView } from "../panel-store.ts";
import { useMoment } from "../use-now.ts";
import { ImportBox } from "./import-box.tsx";
import { PackageTools } from "./package-tools.tsx";
import { isFiltered } from "./pick-filter.ts";
import { rowsOf } from "./pick-list.ts";
import {
  isImportable,
  isSavedRow,
  type PickRow,
  rowStatusOf,
  type RowStatus,
  usableOf,
} from "./pick-row.ts";
import { formatOrigin, isOver, type RowMoment, formatRow } from "./row-words.ts";

interface PackageListProps {
  readonly view: PanelView;
  /** The key of the row that the page shows beside the list. */
  readonly picked: string | null;
  /** Shows the picked package where there is room for one pane. */
  readonly onOpen: () => void;
}

/** The packages of the open view, each with its Import (rule N13), and their search (rule N24). */
export function PackageList({ view, picked, onOpen }: PackageListProps): VNode {
  const { store } = usePanel();
  const moment = useMoment(view.readAtMs);
  const { errors, list } = view;
  const items = list.rows.map((row) => itemOf(row, moment, errors.get(row.key) ?? null));
  return (
    <>
      <PackageTools view={view} />
      <PickList
        label={t("panel.packages")}
        items={items}
        picked={picked}
        onPick={(key) => store.select(key)}
        onOpen={onOpen}
        empty={<p class="quiet">{emptyWords(view)}</p>}
      />
    </>
  );
}

/** Switches between the packages that wait and the history. */
export function ViewSwitch({ view }: { readonly view: PanelView }): VNode {
  const { store } = usePanel();
  const open = view.list.view;
  return (
    <div class="segments" role="group" aria-label={t("panel.packages")}>
      {(["waiting", "history"] as const).map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={open === name}
          onClick={() => store.openView(name)}
        >
          {t(`panel.${name}`)}
        </button>
      ))}
    </div>
  );
}

/** Returns a row's status now; a package that has expired can't be imported any more. */
export function shownStatusOf(row: PickRow, moment: RowMoment): RowStatus {
  const status = rowStatusOf(row);
  return isImportable(row) && isOver(row, moment) ? "expired" : status;
}

function itemOf(row: PickRow, moment: RowMoment, error: string | null): PickItem {
  const status = shownStatusOf(row, moment);
  const { words, tone } = formatRow(row, status, moment);
  const count = usableOf(row)?.sounds.length ?? null;
  const color = usableOf(row)?.color ?? null;
  const facts = [
    ...(status === "waiting" ? [formatOrigin(row)] : []),
    ...(status === "waiting" && count !== null ? [t("clips.count", { count })] : []),
    words,
  ].filter((fact) => fact !== "");
  const line = error ?? facts.join(" · ");
  return {
    key: row.key,
    spoken: [row.title, line].join(", "),
    content: (
      <>
        <span class="pick-title">
          <span
            class={color === null ? "swatch none" : "swatch"}
            style={{ background: color ?? "" }}
          />
          <bdi>{row.title}</bdi>
        </span>
        <span class={`tone ${error === null ? tone : "bad"}`} title={line}>
          {line}
        </span>
      </>
    ),
    button: <ImportBox row={row} status={status} plan={null} tempoBpm={null} isInList />,
  };
}

function emptyWords({ state, list }: PanelView): string {
  if (state === null) return t("panel.looking");
  if (isFiltered(list.filter)) return t("panel.empty-filter");
  if (list.view === "history") return t("panel.empty-history");
  const { status } = state.connection;
  if (state.isReading && status !== "offline") return t("panel.empty-reading");
  const saved = state.host.name === "live" ? rowsOf(state).filter(isSavedRow).length : 0;
  if (saved > 0) return t("panel.empty-saved", { count: saved });
  return status === "unset" ? t("panel.empty-no-relay") : t("panel.empty");
}
