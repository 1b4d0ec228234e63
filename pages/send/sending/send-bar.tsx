import type { VNode } from "preact";
import { formatBytes } from "../../../core/text/format-number.ts";
import { t } from "../../kit/page-language.ts";
import { usePage } from "../page-context.ts";
import type { Sending } from "../../../client/send/session/session-view.ts";
import { firstWrong, questionsOf } from "../../../client/send/session/open-questions.ts";
import { isPackingOpen, packingOf } from "../../../client/send/session/session-packing.ts";
import { bytesOf } from "../../../client/send/session/session-sound.ts";
import { BPM, isWrong } from "../../../client/send/session/typed-numbers.ts";
import { NO_SELECTION } from "../../kit/clip-list/clip-row.ts";
import type { PageView } from "../page-view.ts";
import { focusSoon } from "../parts.tsx";
import { formatOutgoing } from "../sounds/format-outgoing.ts";
import { formatSending } from "../../../client/send/words/format-status.ts";

/** Send and its effect. The button's box shows the progress while it sends. */
export function SendBar({ view }: { readonly view: PageView }): VNode {
  const { sending } = usePage().session;
  const bytes = packingOf(view).chosen?.bytes ?? bytesOf(view.sounds);
  return (
    <div class="send-bar">
      <p class="outgoing" id="outgoing">
        {formatOutgoing(view)}
        {bytes > 0 && <span class="quiet"> {formatBytes(t, bytes)}</span>}
      </p>
      <button
        type="button"
        class={view.sending === null ? "cancel-send away" : "cancel-send"}
        disabled={view.sending === null}
        onClick={() => sending.cancel()}
      >
        {t("page.cancel")}
      </button>
      <div class="send-box">
        {view.sending === null ? <SendButton view={view} /> : <Progress sending={view.sending} />}
      </div>
    </div>
  );
}

function SendButton({ view }: { readonly view: PageView }): VNode {
  const { pairing } = usePage().session;
  const act = useSend(view);
  const target = view.computers?.[0];
  const questions = questionsOf(view);
  const isReady =
    view.sounds.length > 0 &&
    view.reading === 0 &&
    questions.kind.length + questions.tempo.length === 0 &&
    !isPackingOpen(view);
  return target === undefined ? (
    <button type="button" class="primary" id="send" onClick={() => pairing.ask(view.code)}>
      {t("page.pairToSend")}
    </button>
  ) : (
    <button
      type="button"
      class="primary"
      id="send"
      aria-disabled={!isReady}
      aria-describedby="outgoing"
      onClick={act}
    >
      {t("page.sendTo", { computer: target.name })}
    </button>
  );
}

/** Returns a function that sends, or moves the focus to whatever is missing. */
function useSend(view: PageView): () => void {
  const { session, actions } = usePage();
  return () => {
    const target = view.computers?.[0];
    const wrong = firstWrong(view.sounds);
    const { kind, tempo } = questionsOf(view);
    if (view.sounds.length === 0) document.getElementById("add-sounds")?.focus();
    else if (isWrong(view.bpm ?? "", BPM)) {
      document.getElementsByName("package.bpm")[0]?.focus();
    } else if (wrong !== null) {
      actions.select({ keys: new Set([wrong.key]), active: wrong.key });
      focusSoon(`sound-${wrong.field}`);
    } else if (kind.length + tempo.length > 0 || isPackingOpen(view)) {
      document.getElementById("question")?.focus();
    } else if (target !== undefined && view.reading === 0) {
      focusSoon("sending");
      void session.sending.send().then((packageId) => {
        if (packageId === null) return focusSoon("send");
        actions.select(NO_SELECTION);
        actions.show(packageId);
        focusSoon("sent-title");
      });
    }
  };
}

function Progress({ sending }: { readonly sending: Sending }): VNode {
  const { words, part } = formatSending(t, sending);
  return (
    <div
      id="sending"
      class="sending"
      tabIndex={-1}
      role="progressbar"
      aria-label={t("page.sendingTo", { computer: sending.computerName })}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={part === null ? undefined : Math.round(part * 100)}
      aria-valuetext={words}
    >
      <span class="filled" style={{ width: `${(part ?? 0) * 100}%` }} />
      <span class="words">{words}</span>
    </div>
  );
}
