import type { VNode, TargetedEvent } from "preact";
import { useEffect, useState } from "preact/hooks";
import {
  type LiveCheckState,
  type LiveCheckAsk,
  type LiveReport,
  formatStays,
} from "../../../core/protocol/live-report.ts";
import { Refused, useAction, typedText } from "../../kit/action.tsx";
import { CallButton } from "../call-button.tsx";
import { usePanel } from "../panel-store.ts";
import { t } from "../../kit/page-language.ts";

/** A line that opens the check of the running Live (rule H21), and the check itself. */
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
          <CallButton call="beginLiveCheck" label={t("panel.check-again")} />
        </>
      );
    case "failed":
      return (
        <>
          <p class="error" role="alert">
            {check.error}
          </p>
          <CallButton call="beginLiveCheck" label={t("panel.check-again")} />
        </>
      );
    case "idle":
      return (
        <>
          <p>{t("panel.check-what")}</p>
          <CallButton call="beginLiveCheck" label={t("panel.check-start")} />
        </>
      );
  }
}

function Running({ check }: { readonly check: LiveCheckState }): VNode {
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
      <CallButton call="cancelLiveCheck" label={t("panel.check-cancel")} />
    </>
  );
}

/** Follows the importer's check while it is shown. */
function useLiveCheck(): LiveCheckState | null {
  const { store } = usePanel();
  const [check, setCheck] = useState<LiveCheckState | null>(null);
  useEffect(() => {
    const closing = new AbortController();
    const listener = { onState: setCheck, onLink: () => undefined };
    void store.calls.followLiveCheck(listener, closing.signal);
    return () => closing.abort();
  }, [store]);
  return check;
}

/** A question about something that only the person can do in Live. It can be skipped. */
function LiveCheckQuestion({ ask }: { readonly ask: LiveCheckAsk }): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const send = (answer: number | true | null) =>
    begin(() => store.calls.send("answerLiveCheck", { id: ask.id, answer }));
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    send(ask.answer === "done" || Number(typedText(event.currentTarget, "count")));
  };
  return (
    <form class="live-question" onSubmit={submit}>
      <p id="live-question" role="status">
        {ask.text}
      </p>
      {ask.answer === "number" && (
        <input
          name="count"
          type="number"
          min="0"
          max="200"
          required
          aria-labelledby="live-question"
        />
      )}
      <button type="submit" class="primary" aria-disabled={isBusy}>
        {ask.answer === "done" ? t("panel.check-did") : t("panel.check-answer")}
      </button>
      <button type="button" aria-disabled={isBusy} onClick={() => send(null)}>
        {t("panel.check-skip")}
      </button>
      <Refused error={error} />
    </form>
  );
}

/** The finished check, and its report to save. */
function LiveCheckResult({ report }: { readonly report: LiveReport | null }): VNode | null {
  const address = useAddress(report);
  if (report === null) return null;
  const { live, edition, checks, stays } = report;
  const answered = checks.filter(({ facts }) => facts !== null).length;
  return (
    <>
      <p role="status">
        {t("panel.check-done", {
          live: ["Live", live, edition].filter(Boolean).join(" "),
          answered,
          count: checks.length,
        })}
        {stays > 0 && ` ${formatStays(t, stays)}`}
      </p>
      {address !== null && (
        <a href={address} download="soundferry-live-report.json">
          {t("panel.check-save")}
        </a>
      )}
    </>
  );
}

/** Returns an address of the report's JSON while the report is shown. */
function useAddress(report: LiveReport | null): string | null {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const text = JSON.stringify(report, null, 1);
    const made = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [report]);
  return address;
}
