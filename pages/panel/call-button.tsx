import type { PlainPanelCall } from "../../core/protocol/panel-calls.ts";
import type { VNode } from "preact";
import { Refused, useAction } from "../kit/action.tsx";
import { usePanel } from "./panel-store.ts";

interface CallButtonProps {
  readonly call: PlainPanelCall;
  readonly label: string;
  /** The label while the call runs, if it differs. */
  readonly busyLabel?: string;
  readonly isPrimary?: boolean;
}

/** A button that makes a call, and the call's error. */
export function CallButton(props: CallButtonProps): VNode {
  const { call, label, busyLabel = label, isPrimary = false } = props;
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  return (
    <>
      <button
        type="button"
        class={isPrimary ? "primary" : undefined}
        aria-disabled={isBusy}
        onClick={() => begin(() => store.calls.send(call))}
      >
        {isBusy ? busyLabel : label}
      </button>
      <Refused error={error} />
    </>
  );
}
