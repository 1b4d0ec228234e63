import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PanelKeptFiles, PanelState } from "../../../core/protocol/panel-api.ts";
import { formatBytes } from "../../../core/text/format-number.ts";
import { onEscape, Refused, useAction } from "../../kit/action.tsx";
import { t } from "../../kit/page-language.ts";
import { CallButton } from "../call-button.tsx";
import { usePanel } from "../panel-store.ts";
import { formatLibraryTrail } from "../text/format-saved.ts";
import { useTextEdit } from "./use-text-edit.ts";

interface SoundsFolderProps {
  readonly state: PanelState;
  readonly keptFiles: PanelKeptFiles;
}

/** The sounds folder: where it is, why it isn't elsewhere, how to open and change it, and its size (rule N22). */
export function SoundsFolder({ state, keptFiles }: SoundsFolderProps): VNode {
  const { soundsFolder, canReveal } = state;
  const { path, isInLibrary, because, fixedBecause } = soundsFolder;
  const [isEdited, setIsEdited] = useState(false);
  return (
    <section aria-labelledby="sounds-folder">
      <h3 id="sounds-folder" tabIndex={-1}>
        {t("panel.sounds-folder-title")}
      </h3>
      <p>
        <bdi>{path}</bdi>
      </p>
      {isInLibrary && (
        <p class="quiet">
          {t("panel.sounds-folder-in-library", { trail: formatLibraryTrail(state) })}
        </p>
      )}
      {because !== null && <p class="quiet">{t(`panel.sounds-folder-${because}`)}</p>}
      {fixedBecause !== null && <p class="quiet">{fixedBecause}</p>}
      {isEdited ? (
        <FolderForm path={path} onDone={() => setIsEdited(false)} />
      ) : (
        <div class="buttons">
          {canReveal !== null && <CallButton call="revealSoundsFolder" label={t("panel.reveal")} />}
          {fixedBecause === null && (
            <button
              type="button"
              id="change-folder"
              aria-label={t("panel.sounds-folder-change-title")}
              onClick={() => setIsEdited(true)}
            >
              {t("panel.relay-change")}
            </button>
          )}
        </div>
      )}
      <KeptFiles keptFiles={keptFiles} />
    </section>
  );
}

interface FolderFormProps {
  readonly path: string;
  readonly onDone: () => void;
}

function FolderForm({ path, onDone }: FolderFormProps): VNode {
  const { store } = usePanel();
  const send = (folder: string) => store.calls.send("setSoundsFolder", { folder });
  const { field, onSubmit, isBusy, error } = useTextEdit({
    name: "folder",
    text: path,
    send,
    onDone,
  });
  return (
    <form class="relay" data-then="change-folder" onSubmit={onSubmit} onKeyDown={onEscape(onDone)}>
      <label for="folder-path">{t("panel.sounds-folder-path")}</label>
      <div class="field">
        <input
          ref={field}
          id="folder-path"
          name="folder"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          defaultValue={path}
          aria-invalid={error !== null}
          aria-describedby="folder-error"
        />
        <button type="submit" aria-disabled={isBusy}>
          {t("panel.sounds-folder-use")}
        </button>
        <button type="button" onClick={onDone}>
          {t("panel.cancel")}
        </button>
      </div>
      <p class="quiet hint">{t("panel.sounds-folder-stays")}</p>
      <p id="folder-error" class="error" role="alert">
        {error}
      </p>
    </form>
  );
}

/** The sounds folder's size, and a button that deletes what no host plays, after a question (rule F6). */
function KeptFiles({ keptFiles }: { readonly keptFiles: PanelKeptFiles }): VNode {
  const [isAsked, setIsAsked] = useState(false);
  const size = formatBytes(t, keptFiles.clearableBytes);
  const canClear = keptFiles.clearableBytes > 0;
  return (
    <div class="kept" id="kept" tabIndex={-1}>
      <p>{wordsOf(keptFiles)}</p>
      {canClear && isAsked && <ClearQuestion size={size} onEnd={() => setIsAsked(false)} />}
      {canClear && !isAsked && (
        <button type="button" id="clear" onClick={() => setIsAsked(true)}>
          {t("panel.clear", { size })}
        </button>
      )}
    </div>
  );
}

interface ClearQuestionProps {
  readonly size: string;
  readonly onEnd: () => void;
}

/** Asks before sounds are deleted. It takes the focus, and Escape means No. Keep takes the button's place. */
function ClearQuestion({ size, onEnd }: ClearQuestionProps): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const no = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => no.current?.focus(), []);
  return (
    <div
      class="kept"
      role="group"
      aria-labelledby="clear-question"
      data-then="kept"
      onKeyDown={onEscape(onEnd)}
    >
      <div class="buttons">
        <button type="button" ref={no} onClick={onEnd}>
          {t("panel.clear-keep")}
        </button>
        <button
          type="button"
          class="danger"
          aria-disabled={isBusy}
          onClick={() => begin(() => store.calls.send("clearKeptFiles"), onEnd)}
        >
          {t("panel.clear", { size })}
        </button>
      </div>
      <p id="clear-question">{t("panel.clear-question", { size })}</p>
      <Refused error={error} />
    </div>
  );
}

function wordsOf({ bytes, clearableBytes }: PanelKeptFiles): string {
  if (bytes === 0) return t("panel.sounds-folder-empty");
  const size = formatBytes(t, bytes);
  return clearableBytes > 0
    ? t("panel.sounds-folder-unused", { size, clearable: formatBytes(t, clearableBytes) })
    : t("panel.sounds-folder", { size });
}
