import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { SOUND_FILES } from "../../../client/audio/sound-files.ts";
import { t } from "../../kit/text.tsx";
import { usePage } from "../page-context.ts";
import type { PageView } from "../page-view.ts";
import { RecordButton } from "../recording/record-button.tsx";
import { type FoundFile, foundFile } from "./found-file.ts";
import { inOrder, isSoundFile } from "./sound-files.ts";

const FILES_ID = "sound-files";
const FOLDER_ID = "sound-folder";

/** Takes files and folders, and records. */
export function AddSounds({ view }: { readonly view: PageView }): VNode {
  return (
    <div class="add-sounds" role="group" aria-label={t("page.addSounds")}>
      <button type="button" id="add-sounds" onClick={() => choose(FILES_ID)}>
        {t("page.chooseFiles")}
      </button>
      <button type="button" onClick={() => choose(FOLDER_ID)}>
        {t("page.chooseFolder")}
      </button>
      <RecordButton recording={view.recording} />
    </div>
  );
}

function choose(id: string): void {
  document.getElementById(id)?.click();
}

/** The browser's choosers: on the page whatever it shows, since sounds can be added at any time. */
export function FileChoosers(): VNode {
  const { sounds } = usePage();
  const folder = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (folder.current !== null) folder.current.webkitdirectory = true;
  }, [folder]);
  const take = (input: HTMLInputElement, isWanted: (found: FoundFile) => boolean): void => {
    const chosen = [...(input.files ?? [])].map(foundFile);
    void sounds.add(inOrder(chosen.filter(isWanted)));
    // So that the same file can be chosen again.
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
