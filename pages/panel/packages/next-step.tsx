import type { VNode } from "preact";
import { t } from "../../kit/page-language.ts";
import { usePanel } from "../panel-store.ts";
import { isLiveReady } from "../text/format-live.ts";
import { MAX_SOUNDS } from "../../../core/limits.ts";
import { isOfferedElsewhere } from "./import-box.tsx";
import { PackageCall, type PackageActionsProps } from "./package-actions.tsx";
import { type ChosenSounds, leavesOut } from "./package-choice.ts";
import {
  failureOf,
  isSavedRow,
  needsDecision,
  type PickRow,
  soundResultsOf,
  usableOf,
} from "./pick-row.ts";
import { Slot } from "./slot.tsx";

interface NextStepProps extends PackageActionsProps {
  /** Shows the steps that set up Live. */
  readonly onSetUpLive: () => void;
}

/**
 * The next step: Undo, the answer to the last run's error, another import, or the way into Live (rule N22). The second
 * place has the import on the same tracks, or the setup of Live.
 */
export function NextStep(props: NextStepProps): VNode {
  const counts = { chosen: MAX_SOUNDS, count: MAX_SOUNDS };
  const first = ["again", "place-rest", "place-in-live", "take-over", "undo-dismiss"] as const;
  return (
    <div class="next-buttons">
      <Slot
        name="next"
        words={[t("panel.import-some", counts), ...first.map((name) => t(`panel.${name}`))]}
      >
        <FirstStep {...props} />
      </Slot>
      <Slot name="next-other" words={[t("panel.same-tracks"), t("panel.live-setup")]}>
        <OtherStep {...props} />
      </Slot>
    </div>
  );
}

function FirstStep(props: NextStepProps): VNode | null {
  const { row, status, state } = props;
  const usable = usableOf(row);
  if (usable === null || status === "running") return null;
  if (usable.isDismissed) {
    if (!usable.canUndoDismiss) return null;
    const label = t("panel.undo-dismiss-title", { title: row.title });
    return (
      <PackageCall row={row} call="undoDismiss" words={t("panel.undo-dismiss")} label={label} />
    );
  }
  if (status === "failed" && needsDecision(row)) return <ImportMore {...props} />;
  if (status !== "done" || isOfferedElsewhere(row, status)) return null;
  // What is whole on the disk isn't saved again.
  if (isSavedRow(row) && state.host.name === "folder" && usable.status === "imported") return null;
  return <ImportMore {...props} />;
}

function OtherStep(props: NextStepProps): VNode | null {
  const { row, status, state, onSetUpLive } = props;
  const usable = usableOf(row);
  if (usable === null || usable.isDismissed || status !== "done") return null;
  if (isOfferedElsewhere(row, status)) return null;
  if (!isSavedRow(row)) {
    return state.host.can.reusesTracks ? <ImportMore {...props} reuseTracks /> : null;
  }
  if (state.live === null || isLiveReady(state.live)) return null;
  return (
    <button type="button" onClick={onSetUpLive}>
      {t("panel.live-setup")}
    </button>
  );
}

interface ImportMoreProps extends PackageActionsProps {
  readonly reuseTracks?: boolean;
}

/** A button that places what was saved, imports again, takes over, or imports the sounds that were left out. */
function ImportMore({ row, state, sounds, reuseTracks = false }: ImportMoreProps): VNode {
  const { store } = usePanel();
  const { key, title } = row;
  const counts = { chosen: sounds.ticked.size, count: sounds.all.length };
  const isFromFolder = isSavedRow(row) && state.host.name === "live";
  const [words, label] = reuseTracks
    ? [t("panel.same-tracks"), t("panel.same-tracks-title", { title })]
    : failureOf(row)?.code === "RUN_ELSEWHERE"
      ? [t("panel.take-over"), t("panel.take-over-title", { title })]
      : isFromFolder && !leavesOut(sounds)
        ? [t("panel.place-in-live"), t("panel.place-in-live-title", { title })]
        : isRest(row, sounds)
          ? [t("panel.place-rest"), t("panel.place-rest-title", { title })]
          : leavesOut(sounds)
            ? [t("panel.import-some", counts), undefined]
            : [t("panel.again"), t("panel.again-title", { title })];
  return (
    <button
      type="button"
      class={isFromFolder ? "primary" : ""}
      aria-label={label}
      aria-disabled={store.view.busy.has(`import ${key}`)}
      data-then="package-title"
      onClick={() => void store.import(row, { sounds, reuseTracks })}
    >
      {words}
    </button>
  );
}

/** Checks whether the ticked sounds are those for which the last import had no room. */
function isRest(row: PickRow, { ticked }: ChosenSounds): boolean {
  const results = soundResultsOf(row);
  const rest = new Set(
    results
      .filter(
        ({ status, error }) => status === "skipped" && error !== t("panel.sound-not-selected"),
      )
      .map(({ id }) => id),
  );
  return rest.size < results.length && ticked.size > 0 && [...ticked].every((id) => rest.has(id));
}
