import type { VNode } from "preact";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/page-language.ts";
import { usePanel } from "../panel-context.ts";
import { isOfferedElsewhere } from "./import-box.tsx";
import { type ChosenSounds, beginImport, leavesOut } from "./package-choice.ts";
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
  return (
    <>
      <div class="slot cancel">{props.status === "running" && <Cancel {...props} />}</div>
      <div class="slot next">
        <NextStep {...props} />
      </div>
      <div class="slot dismiss">{canDismiss(props) && <Dismiss {...props} />}</div>
      {props.state.canReveal !== null && (
        <div class="slot reveal">{hasFiles(props) && <Reveal {...props} />}</div>
      )}
    </>
  );
}

function Cancel({ row: { key, packageId, title } }: PackageActionsProps): VNode {
  const { store } = usePanel();
  const cancel = () =>
    store.act(key, "cancel", () => store.calls.send("cancelRun", { package_id: packageId }));
  return (
    <button
      type="button"
      aria-label={t("panel.cancel-title", { title })}
      aria-disabled={store.view.busy.has(`cancel ${key}`)}
      data-then="package-title"
      onClick={() => void cancel()}
    >
      {t("panel.cancel")}
    </button>
  );
}

function canDismiss({ row, status }: PackageActionsProps): boolean {
  const usable = usableOf(row);
  return (
    usable !== null && row.otherHost === undefined && status !== "running" && !usable.isDismissed
  );
}

function Dismiss({ row: { key, packageId, title } }: PackageActionsProps): VNode {
  const { store } = usePanel();
  const dismiss = () =>
    store.act(key, "dismiss", () => store.calls.send("dismiss", { package_id: packageId }));
  return (
    <button
      type="button"
      aria-label={t("panel.dismiss-title", { title })}
      aria-disabled={store.view.busy.has(`dismiss ${key}`)}
      data-then="package-title"
      onClick={() => void dismiss()}
    >
      {t("panel.dismiss")}
    </button>
  );
}

/** Checks whether the package has a folder on this computer. */
function hasFiles({ row }: PackageActionsProps): boolean {
  const { offered, past } = row;
  const result = past?.result;
  if (offered !== null && ("error" in offered || offered.origin === "inbox")) return true;
  return result !== undefined && "outcome" in result && result.outcome.folder !== null;
}

function Reveal({ row: { key, packageId }, state }: PackageActionsProps): VNode {
  const { store } = usePanel();
  const reveal = () =>
    store.act(key, "reveal", () => store.calls.send("reveal", { package_id: packageId }));
  return (
    <button type="button" onClick={() => void reveal()}>
      {t(`panel.reveal-${state.canReveal ?? "folder"}`)}
    </button>
  );
}

/** The next step: Undo, the answer to the last run's error, or another import. */
function NextStep(props: PackageActionsProps): VNode | null {
  const { row, status } = props;
  const usable = usableOf(row);
  if (usable === null || status === "running") return null;
  if (usable.isDismissed) return usable.canUndoDismiss ? <Undo {...props} /> : null;
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

function Undo({ row: { key, packageId, title } }: PackageActionsProps): VNode {
  const { store } = usePanel();
  const undo = () =>
    store.act(key, "undo", () => store.calls.send("undoDismiss", { package_id: packageId }));
  return (
    <button
      type="button"
      aria-label={t("panel.undo-dismiss-title", { title })}
      data-then="package-title"
      onClick={() => void undo()}
    >
      {t("panel.undo-dismiss")}
    </button>
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
      onClick={() => void beginImport(store, row, { sounds, reuseTracks })}
    >
      {words}
    </button>
  );
}
