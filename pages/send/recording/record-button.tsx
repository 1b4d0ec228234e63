import type { VNode } from "preact";
import { formatCountdown } from "../../../core/text/format-span.ts";
import { t } from "../../kit/text.tsx";
import { usePage } from "../page-context.ts";
import type { Recording } from "./recording.ts";

/** Starts a recording and ends it; on it the length so far, and beside it, in room that is always there, the level. */
export function RecordButton({ recording }: { readonly recording: Recording | null }): VNode {
  const { recorder } = usePage();
  const isRecording = recording !== null;
  return (
    <>
      <button
        type="button"
        id="record"
        class="record"
        aria-pressed={isRecording}
        onClick={() => void (isRecording ? recorder.stop() : recorder.start())}
      >
        <svg viewBox="0 0 12 12" aria-hidden="true">
          {isRecording ? <path d="M2.5 2.5h7v7h-7z" /> : <circle cx="6" cy="6" r="4" />}
        </svg>
        <span>{formatButton(recording)}</span>
      </button>
      <span class="recording" aria-hidden={!isRecording}>
        {isRecording && (
          <meter
            min={0}
            max={1}
            low={0.5}
            high={0.98}
            value={recording.level}
            aria-label={t("page.level")}
          />
        )}
      </span>
    </>
  );
}

function formatButton(recording: Recording | null): string {
  if (recording === null) return t("page.record");
  const { seconds } = recording;
  return seconds === null
    ? t("page.stopRecording")
    : t("page.stopRecordingAt", { time: formatCountdown(seconds) });
}
