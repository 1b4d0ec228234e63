import type { VNode } from "preact";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/page-language.ts";
import { usePanel } from "../panel-store.ts";
import { isOfferedElsewhere } from "./import-box.tsx";
import { type ChosenSounds, leavesOut } from "./package-choice.ts";
import { failureOf, needsDecision, type PickRow, type RowStatus, usableOf } from "./pick-row.ts";

interface PackageActionsProps {
  readonly row: PickRow;
  readonly status: RowStatus;
  readonly state: PanelState;
  readonly sounds: ChosenSounds;
}

/**
 * The other actions on a package. Each button has its own place, which stays empty while it can't be used (rule N13).
 */
export function PackageActions(props: PackageActionsProps): VNode {
  const { row, status, state } = props;
  const { title } = row;
  return (
    <>
      <div class="slot cancel">
        {status === "running" && (
          <PackageCall
            row={row}
            call="cancelRun"
            words={t("panel.cancel")}
            label={t("panel.cancel-title", { title })}
            showsBusy
          />
        )}
      </div>
      <div class="slot next">
        <NextStep {...props} />
      </div>
      <div class="slot dismiss">
        {canDismiss(props) && (
          <PackageCall
            row={row}
            call="dismiss"
            words={t("panel.dismiss")}
            label={t("panel.dismiss-title", { title })}
            showsBusy
          />
        )}
      </div>
      {state.canReveal !== null && (
        <div class="slot reveal">
          {hasFiles(props) && (
            <PackageCall row={row} call="reveal" words={t(`panel.reveal-${state.canReveal}`)} />
          )}
        </div>
      )}
    </>
  );
}

interface PackageCallProps {
  readonly row: PickRow;
  readonly call: "cancelRun" | "dismiss" | "undoDismiss" | "reveal";
  readonly words: string;
  readonly label?: string;
  /** Set if the button looks disabled while the call runs. */
  readonly showsBusy?: boolean;
}

/** A button that makes one call about the package. */
function PackageCall({ row, call, words, label, showsBusy = false }: PackageCallProps): VNode {
  const { key, packageId } = row;
  const { store } = usePanel();
  const act = () => store.act(key, call, () => store.calls.send(call, { package_id: packageId }));
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={showsBusy && store.view.busy.has(`${call} ${key}`)}
      data-then="package-title"
      onClick={() => void act()}
    >
      {words}
    </button>
  );
}

function canDismiss({ row, status }: PackageActionsProps): boolean {
  const usable = usableOf(row);
  return (
    usable !== null && row.otherHost === undefined && status !== "running" && !usable.isDismissed
  );
}

/** Checks whether the package has a folder on this computer. */
function hasFiles({ row }: PackageActionsProps): boolean {
  const { offered, past } = row;
  const result = past?.result;
  if (offered !== null && ("error" in offered || offered.origin === "inbox")) return true;
  return result !== undefined && "outcome" in result && result.outcome.folder !== null;
}

/** The next step: Undo, the answer to the last run's error, or another import. */
function NextStep(props: PackageActionsProps): VNode | null {
  const { row, status } = props;
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
  const reuses = props.state.host.can.reusesTracks;
  return (
    <>
      <ImportMore {...props} />
      {reuses && <ImportMore {...props} reuseTracks />}
    </>
  );
}

interface ImportMoreProps extends PackageActionsProps {
  readonly reuseTracks?: boolean;
}

/** A button that imports again, takes over, or imports the sounds that were left out. */
function ImportMore({ row, sounds, reuseTracks = false }: ImportMoreProps): VNode {
  const { store } = usePanel();
  const { key, title } = row;
  const counts = { chosen: sounds.ticked.size, count: sounds.all.length };
  const [words, label] = reuseTracks
    ? [t("panel.same-tracks"), t("panel.same-tracks-title", { title })]
    : failureOf(row)?.code === "RUN_ELSEWHERE"
      ? [t("panel.take-over"), t("panel.take-over-title", { title })]
      : leavesOut(sounds)
        ? [t("panel.import-some", counts), undefined]
        : [t("panel.again"), t("panel.again-title", { title })];
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={store.view.busy.has(`import ${key}`)}
      data-then="package-title"
      onClick={() => void store.import(row, { sounds, reuseTracks })}
    >
      {words}
    </button>
  );
}
