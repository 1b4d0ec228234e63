import type { VNode } from "preact";
import { onEscape } from "../../kit/action.tsx";
import { t } from "../../kit/page-language.ts";
import { type PanelView, usePanel } from "../panel-store.ts";
import { isFiltered, type PickFilter } from "./pick-filter.ts";
import { rowsOf, viewOf } from "./pick-list.ts";
import { formatOrigin } from "./row-words.ts";

const KINDS = ["all", "new", "imported", "problems"] as const;

/** Search and filters of a long list of packages; nothing for a short one (rule N24). */
export function PackageTools({ view }: { readonly view: PanelView }): VNode | null {
  const { store } = usePanel();
  const { list, state } = view;
  if (!list.isLong || state === null) return null;
  const { filter } = list;
  const change = (changed: Partial<PickFilter>): void => store.filter({ ...filter, ...changed });
  const clear = onEscape(() => change({ text: "" }));
  return (
    <div class="package-tools" role="search">
      <input
        type="search"
        aria-label={t("panel.search")}
        placeholder={t("panel.search")}
        autocomplete="off"
        spellcheck={false}
        value={filter.text}
        onInput={({ currentTarget }) => change({ text: currentTarget.value })}
        // An Escape without a text may close Live's dialog.
        onKeyDown={(event) => filter.text !== "" && clear(event)}
      />
      <select
        aria-label={t("panel.filter")}
        value={filter.app === null ? filter.kind : `app ${filter.app}`}
        onChange={({ currentTarget: { value } }) => change(filterOf(value))}
      >
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {t(`panel.filter-${kind}`)}
          </option>
        ))}
        <optgroup label={t("panel.filter-apps")}>
          {appsOf(view).map((app) => (
            <option key={app} value={`app ${app}`}>
              {app}
            </option>
          ))}
        </optgroup>
      </select>
      <p class="unseen" role="status">
        {isFiltered(filter) && t("panel.found", { count: list.rows.length })}
      </p>
    </div>
  );
}

function filterOf(value: string): Pick<PickFilter, "kind" | "app"> {
  const kind = KINDS.find((one) => one === value);
  return kind === undefined
    ? { kind: "all", app: value.slice("app ".length) }
    : { kind, app: null };
}

/** Lists the senders of the view's packages, and the one that is filtered by, sorted by name. */
function appsOf({ state, list }: PanelView): readonly string[] {
  const rows = state === null ? [] : rowsOf(state).filter((row) => viewOf(row) === list.view);
  const apps = new Set([...rows.map(formatOrigin), list.filter.app ?? ""]);
  apps.delete("");
  return [...apps].toSorted((a, b) => a.localeCompare(b));
}
