import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { SOUND_FILES } from "../../../client/audio/sound-files.ts";
import { t } from "../../kit/page-language.ts";
import { usePage } from "../page-context.ts";
import type { Recording } from "../../../client/send/session/session-view.ts";
import type { PageView } from "../page-view.ts";
import { type FoundFile, foundFile, inOrder, isSoundFile } from "./sound-files.ts";
import { formatCountdown } from "../../../core/text/format-span.ts";

const FILES_ID = "sound-files";
const FOLDER_ID = "sound-folder";

/** Buttons that take files and folders, and that record. */
export function AddSounds({ view }: { readonly view: PageView }): VNode {
  return (
    <div class="add-sounds" role="group" aria-label={t("page.addSounds")}>
      <button type="button" id="add-sounds" onClick={() => choose(FILES_ID)}>
        {t("page.chooseFiles")}
      </button>
      <button type="button" class="choose-folder" onClick={() => choose(FOLDER_ID)}>
        {t("page.chooseFolder")}
      </button>
      <RecordButton recording={view.recording} />
    </div>
  );
}

function choose(id: string): void {
  document.getElementById(id)?.click();
}

/** The browser's choosers. They are always on the page, because sounds can be added at any time. */
export function FileChoosers(): VNode {
  const { actions } = usePage();
  const folder = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (folder.current !== null) folder.current.webkitdirectory = true;
  }, [folder]);
  const take = (input: HTMLInputElement, isWanted: (found: FoundFile) => boolean): void => {
    const chosen = [...(input.files ?? [])].map(foundFile);
    void actions.add(inOrder(chosen.filter(isWanted)));
    // This lets the same file be chosen again.
    input.value = "";
  };
  return (
    <>
      <input
        id={FILES_ID}
        hidden
        type="file"
        multiple
        accept={SOUND_FILES}
        aria-label={t("page.soundFiles")}
        onChange={(event) => take(event.currentTarget, () => true)}
      />
      <input
        id={FOLDER_ID}
        ref={folder}
        hidden
        type="file"
        aria-label={t("page.soundFolder")}
        onChange={(event) => take(event.currentTarget, ({ file }) => isSoundFile(file.name))}
      />
    </>
  );
}

/** Starts and ends a recording. The button shows the length so far, and reserved room beside it shows the level. */
function RecordButton({ recording }: { readonly recording: Recording | null }): VNode {
  const { recording: recorder } = usePage();
  const isRecording = recording !== null;
  return (
    <>
      <button
        type="button"
        id="record"
        class="record"
        aria-pressed={isRecording}
        onClick={() => void recorder.toggle()}
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
