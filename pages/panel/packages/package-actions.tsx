import type { VNode } from "preact";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/page-language.ts";
import { usePanel } from "../panel-store.ts";
import { dawRequestOf, isSavingForDaw } from "./other-daw.ts";
import type { ChosenSounds } from "./package-choice.ts";
import { isSavedRow, type PickRow, type RowStatus, usableOf } from "./pick-row.ts";
import { Slot } from "./slot.tsx";

export interface PackageActionsProps {
  readonly row: PickRow;
  readonly status: RowStatus;
  readonly state: PanelState;
  readonly sounds: ChosenSounds;
}

/** Cancel, which is there while an import runs. */
export function CancelSlot({ row, status }: PackageActionsProps): VNode {
  return <CallSlot row={row} name="cancel" call="cancelRun" isThere={status === "running"} />;
}

interface CallSlotProps extends Pick<PackageCallProps, "row" | "call"> {
  /** The name of the slot, and of its words. */
  readonly name: "cancel" | "dismiss";
  readonly isThere: boolean;
}

/** The place of a button that makes one call. */
function CallSlot({ row, name, call, isThere }: CallSlotProps): VNode {
  const words = t(`panel.${name}`);
  const label = t(`panel.${name}-title`, { title: row.title });
  return (
    <Slot name={name} words={[words]}>
      {isThere && <PackageCall {...{ row, call, words, label }} showsBusy />}
    </Slot>
  );
}

/**
 * Dismiss, the package's folder, the file for another DAW, and the button of the page around. Each button has its own place, which stays empty while
 * it can't be used (rule N13).
 */
export function PackageActions(props: PackageActionsProps): VNode {
  const { row, state } = props;
  const { store, around } = usePanel();
  const reveal = state.canReveal === null ? null : t(`panel.reveal-${state.canReveal}`);
  return (
    <>
      <CallSlot row={row} name="dismiss" call="dismiss" isThere={canDismiss(props)} />
      {reveal !== null && (
        <Slot name="reveal" words={[reveal, t("panel.reveal")]}>
          {hasFiles(props) && (
            <PackageCall
              row={row}
              call="reveal"
              words={isSavedRow(row) ? t("panel.reveal") : reveal}
            />
          )}
        </Slot>
      )}
      {!store.isDialog && state.host.can.savesForDaw && (
        <Slot name="daw" words={[t("panel.save-daw")]}>
          {canSaveForDaw(props) && <SaveForDaw {...props} />}
        </Slot>
      )}
      {around !== undefined && (
        <Slot name="around" words={[around.packageButton.words]}>
          {around.packageButton.of(row)}
        </Slot>
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
export function PackageCall(props: PackageCallProps): VNode {
  const { row, call, words, label, showsBusy = false } = props;
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

/** Writes one DAWproject file with the package's audio inside (rule N22). */
function SaveForDaw({ row, state, sounds }: PackageActionsProps): VNode {
  const { store } = usePanel();
  const { key, title } = row;
  const isBusy = store.view.busy.has(`daw ${key}`) || isSavingForDaw(row, state);
  const save = () =>
    store.act(key, "daw", async () => {
      await store.calls.send("beginRun", dawRequestOf(row, store.choiceOf(key), sounds));
    });
  return (
    <button
      type="button"
      aria-label={t("panel.save-daw-title", { title })}
      aria-disabled={isBusy}
      onClick={() => !isBusy && void save()}
    >
      {t("panel.save-daw")}
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
  if (offered !== null && ("error" in offered || offered.origin !== "relay" || offered.isSaved)) {
    return true;
  }
  return result !== undefined && "outcome" in result && result.outcome.folder !== null;
}

/** Checks whether the package's files are here or at the relay, and nothing else is done with it. */
function canSaveForDaw({ row, status }: PackageActionsProps): boolean {
  const usable = usableOf(row);
  if (usable === null || usable.isDismissed || row.otherHost !== undefined) return false;
  return status !== "running" && (status !== "expired" || usable.isSaved);
}
