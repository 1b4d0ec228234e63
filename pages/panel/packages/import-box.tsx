import type { VNode } from "preact";
import { formatOutcome } from "../../../core/text/format-outcome.ts";
import { formatInto } from "../../../core/text/format-host.ts";
import type { PanelPlan } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/page-language.ts";
import { usePanel } from "../panel-store.ts";
import { formatProgress } from "../text/format-run.ts";
import { chosenSoundsOf, leavesOut } from "./package-choice.ts";
import {
  failureOf,
  isSavedRow,
  needsDecision,
  type PickRow,
  type RowStatus,
  usableOf,
  soundResultsOf,
} from "./pick-row.ts";
import { Slot } from "./slot.tsx";
import { MAX_SOUNDS } from "../../../core/limits.ts";

interface ImportBoxProps {
  readonly row: PickRow;
  readonly status: RowStatus;
  readonly plan: PanelPlan | null;
  /** The tempo to set with the import; null leaves the session's. */
  readonly tempoBpm: number | null;
  /** Set in the list, where the row's title isn't beside the box. */
  readonly isInList?: boolean;
}

/**
 * A box of one size: Import, then the progress, then the result (rules N13 and N21). Other buttons are elsewhere, so
 * that none takes Import's place.
 */
export function ImportBox(props: ImportBoxProps): VNode {
  const { row, status } = props;
  const isOffered = status === "waiting" || (status === "failed" && !needsDecision(row));
  return (
    <Slot name="import-box" words={boxWords(props.isInList ?? false)}>
      {status === "running" && <Progress row={row} />}
      {(isOffered || isOfferedElsewhere(row, status)) && <ImportButton {...props} />}
      {!isOffered && <Result row={row} status={status} />}
    </Slot>
  );
}

/** Returns the longest texts of the box. */
function boxWords(isInList: boolean): readonly string[] {
  const counts = { chosen: MAX_SOUNDS, count: MAX_SOUNDS };
  return [
    t("panel.import"),
    t(isInList ? "panel.import-few" : "panel.import-some", counts),
    t("panel.result-of", { imported: MAX_SOUNDS, count: MAX_SOUNDS }),
    t("panel.result-failed"),
    t("panel.result-cancelled"),
    t("panel.result-saved"),
    t("panel.dismissed"),
    t("panel.progress-queued"),
    t("panel.progress-taken"),
  ];
}

/** Checks whether the row of another host also offers the import into this importer's own host. */
export function isOfferedElsewhere(row: PickRow, status: RowStatus): boolean {
  return status === "done" && row.otherHost !== undefined && usableOf(row) !== null;
}

function ImportButton({ row, plan, tempoBpm, isInList = false }: ImportBoxProps): VNode {
  const { store } = usePanel();
  const { title } = row;
  const sounds = chosenSoundsOf(row, store.choiceOf(row.key), plan);
  const isPart = leavesOut(sounds);
  const isBusy = store.view.busy.has(`import ${row.key}`);
  const counts = { chosen: sounds.ticked.size, count: sounds.all.length };
  return (
    <button
      type="button"
      class={isInList ? "" : "primary"}
      aria-disabled={isBusy}
      data-then={isInList ? undefined : "package-title"}
      {...(isInList && {
        tabIndex: -1,
        "aria-label": isPart
          ? t("panel.import-some-title", { ...counts, title })
          : t("panel.import-title", { title }),
      })}
      onClick={() => void store.import(row, { sounds, tempoBpm })}
    >
      {isPart ? t(isInList ? "panel.import-few" : "panel.import-some", counts) : t("panel.import")}
    </button>
  );
}

function Progress({ row: { run, title, otherHost } }: Pick<ImportBoxProps, "row">): VNode {
  const { words, part } = formatProgress(run?.progress ?? null);
  const percent = part === null ? null : Math.round(part * 100);
  const isWaiting = percent === null;
  return (
    <div
      class="box-progress"
      role="progressbar"
      aria-label={formatInto(t, title, otherHost)}
      aria-valuetext={words}
      {...(!isWaiting && {
        "aria-valuemin": 0,
        "aria-valuemax": 100,
        "aria-valuenow": percent,
      })}
    >
      <span class="box-bar" style={{ width: `${percent ?? 0}%` }} />
      <span class="box-words">{isWaiting ? words : t("panel.percent", { value: percent })}</span>
    </div>
  );
}

/** The result, in a word or two. */
function Result({ row, status }: Pick<ImportBoxProps, "row" | "status">): VNode | null {
  if (status === "dismissed") return <Words tone="quiet" words={t("panel.dismissed")} />;
  const failure = failureOf(row);
  if (failure !== null && (status === "failed" || status === "done")) {
    return failure.code === "CANCELLED" ? (
      <Words tone="quiet" words={t("panel.result-cancelled")} />
    ) : (
      <Words tone="bad" words={t("panel.result-failed")} />
    );
  }
  if (status !== "done" || isOfferedElsewhere(row, status)) return null;
  const results = soundResultsOf(row);
  const imported = results.filter((result) => result.status === "imported").length;
  const isSaved = isSavedRow(row);
  const words =
    isSaved && imported === results.length
      ? t("panel.result-saved")
      : t("panel.result-of", { imported, count: results.length });
  return <Words tone={formatOutcome(t, results, isSaved).tone} words={words} />;
}

function Words({ tone, words }: { readonly tone: string; readonly words: string }): VNode {
  return <span class={`box-result tone ${tone}`}>{words}</span>;
}
