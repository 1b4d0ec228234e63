import type { VNode } from "preact";
import { useId } from "preact/hooks";
import { MAX_TITLE_LENGTH } from "../../../core/limits.ts";
import { ClipList } from "../../kit/clip-list/clip-list.tsx";
import { t } from "../../kit/page-language.ts";
import { type Page, usePage } from "../page-context.ts";
import { tempoOf } from "../../../client/send/session/open-questions.ts";
import { BPM, isWrong } from "../../../client/send/session/typed-numbers.ts";
import type { PageView } from "../page-view.ts";
import { AddSounds } from "./add-sounds.tsx";
import { GroupBars } from "./group-bar.tsx";
import { SoundDetail } from "./sound-detail.tsx";
import { soundRows } from "./sound-row.ts";

/** Returns the panes of the new package. */
export function draftPanes(page: Page, view: PageView, onOpen: () => void) {
  const { sounds, actions } = page;
  const rows = soundRows(view);
  return {
    main: {
      label: t("page.newPackage"),
      bar: (
        <div class="draft-bar">
          <PackageFields view={view} onOpen={onOpen} />
          <AddSounds view={view} />
        </div>
      ),
      content: (
        <div class="draft">
          {rows.length === 0 ? (
            <NoSounds />
          ) : (
            <ClipList
              label={t("page.sounds")}
              rows={rows}
              audio={page.draftAudio}
              selection={view.selection}
              onSelect={(selection) => actions.select(selection)}
              onOpen={onOpen}
              onRemove={(keys) => sounds.remove(keys)}
            />
          )}
          <GroupBars view={view} />
        </div>
      ),
    },
    detail: { label: t("page.details"), content: <SoundDetail view={view} rows={rows} /> },
  } satisfies Record<"main" | "detail", object>;
}

function NoSounds(): VNode {
  return (
    <div class="no-sounds">
      <p class="for-mouse">{t("page.dropHere")}</p>
      <p class="for-touch">{t("page.chooseHere")}</p>
      <p class="quiet">{t("page.formats")}</p>
    </div>
  );
}

interface PackageFieldsProps {
  readonly view: PageView;
  readonly onOpen: () => void;
}

/** Title and tempo of the package, which are guessed until they are typed. */
function PackageFields({ view, onOpen }: PackageFieldsProps): VNode {
  const { sounds } = usePage();
  const [titleId, tempoId] = [useId(), useId()];
  const tempo = tempoOf(view);
  const isBad = isWrong(tempo, BPM);
  const guess = view.suggestion;
  return (
    <fieldset class="package-fields" disabled={view.sending !== null}>
      <label for={titleId}>{t("page.sceneTitle")}</label>
      <input
        id={titleId}
        class="package-title"
        // The guess changes while files arrive, and must not change a field that a person may be typing in.
        value={view.title ?? (view.reading > 0 ? "" : guess)}
        placeholder={guess}
        maxLength={2 * MAX_TITLE_LENGTH}
        autocomplete="off"
        onInput={(event) => sounds.setTitle(event.currentTarget.value)}
      />
      <label for={tempoId}>{t("page.packageTempo")}</label>
      <input
        id={tempoId}
        name="package.bpm"
        class="number"
        inputMode="decimal"
        autocomplete="off"
        maxLength={12}
        value={tempo}
        aria-invalid={isBad}
        title={isBad ? BPM.sentence(t) : undefined}
        onInput={(event) => sounds.setTempo(event.currentTarget.value)}
      />
      {/* The way to the details in windows too narrow to show them beside the list. */}
      <button
        type="button"
        class="open-details"
        disabled={view.selection.keys.size === 0}
        onClick={onOpen}
      >
        {t("page.edit")}
      </button>
    </fieldset>
  );
}
