import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { LiveCheckState } from "../../../core/protocol/live-report.ts";
import { followLines } from "../../kit/follow-lines.ts";
import { Refused } from "../../kit/refused.tsx";
import { useAction } from "../../kit/use-action.ts";
import { usePanel } from "../panel-context.ts";
import { LiveCheckQuestion } from "./live-check-question.tsx";
import { LiveCheckResult } from "./live-check-result.tsx";
import { t } from "../../kit/text.tsx";

/** A quiet way to check the running Live (rule H21), and the check once it was opened. */
export function LiveCheck(): VNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="live-check" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{t("panel.check")}</summary>
      {isOpen && <OpenCheck />}
    </details>
  );
}

function OpenCheck(): VNode {
  const check = useLiveCheck();
  switch (check?.status) {
    case undefined:
      return <p class="quiet">{t("panel.looking")}</p>;
    case "running":
      return <Running check={check} />;
    case "done":
      return (
        <>
          <LiveCheckResult report={check.report} />
          <Begin label={t("panel.check-again")} />
        </>
      );
    case "failed":
      return (
        <>
          <p class="error" role="alert">
            {check.error}
          </p>
          <Begin label={t("panel.check-again")} />
        </>
      );
    case "idle":
      return (
        <>
          <p>{t("panel.check-what")}</p>
          <Begin label={t("panel.check-start")} />
        </>
      );
  }
}

function Running({ check }: { readonly check: LiveCheckState }): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const { done, total, ask } = check;
  const words =
    total === 0 ? t("panel.check-waiting") : t("panel.check-progress", { done, count: total });
  return (
    <>
      <div
        class={total === 0 ? "bar waits" : "bar"}
        role="progressbar"
        aria-label={t("panel.check-label")}
        aria-valuetext={words}
        {...(total > 0 && { "aria-valuemin": 0, "aria-valuemax": total, "aria-valuenow": done })}
      >
        <span style={{ width: `${total === 0 ? 0 : (done / total) * 100}%` }} />
      </div>
      <p class="facts" role="status">
        {words}
      </p>
      {ask !== null && <LiveCheckQuestion key={ask.id} ask={ask} />}
      <button
        type="button"
        aria-disabled={isBusy}
        onClick={() => begin(() => store.calls.cancelLiveCheck())}
      >
        {t("panel.check-cancel")}
      </button>
      <Refused error={error} />
    </>
  );
}

function Begin({ label }: { readonly label: string }): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  return (
    <>
      <button
        type="button"
        aria-disabled={isBusy}
        onClick={() => begin(() => store.calls.beginLiveCheck())}
      >
        {label}
      </button>
      <Refused error={error} />
    </>
  );
}

/** Follows the importer's check while it is shown. */
function useLiveCheck(): LiveCheckState | null {
  const { store } = usePanel();
  const [check, setCheck] = useState<LiveCheckState | null>(null);
  useEffect(() => {
    const closing = new AbortController();
    const open = (signal: AbortSignal) => store.calls.openLiveCheck(signal);
    void followLines(open, { onState: setCheck, onLink: () => undefined }, closing.signal);
    return () => closing.abort();
  }, [store]);
  return check;
}
