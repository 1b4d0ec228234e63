import type { TargetedEvent, VNode } from "preact";
import type { LiveCheckAsk } from "../../../core/protocol/live-report.ts";
import { Refused } from "../../kit/refused.tsx";
import { useAction } from "../../kit/use-action.ts";
import { usePanel } from "../panel-context.ts";
import { typedText } from "../typed-text.ts";
import { t } from "../../kit/text.tsx";

/** What only the person can do in Live; they may skip it. */
export function LiveCheckQuestion({ ask }: { readonly ask: LiveCheckAsk }): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const send = (answer: number | true | null) =>
    begin(() => store.calls.answerLiveCheck(ask.id, answer));
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
