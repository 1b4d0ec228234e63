import type { VNode } from "preact";
import type { ClipRow, ClipState, ClipSelection } from "../../kit/clip-list/clip-row.ts";
import { ClipList } from "../../kit/clip-list/clip-list.tsx";
import { t } from "../../kit/page-language.ts";
import { formatStatus } from "../../../core/text/format-outcome.ts";
import { type Page, usePage } from "../page-context.ts";
import type { PageView } from "../page-view.ts";
import { AskFirst, focusSoon, Notes } from "../parts.tsx";
import {
  formatPackageStatus,
  formatResultError,
} from "../../../client/send/words/format-status.ts";
import type { SentItem } from "../../../client/send/session/session-view.ts";
import { type DescribedSound, sentKey } from "./sent-notes.ts";
import type { SoundResult } from "../../../core/protocol/package-status.ts";
import { formatDifference } from "../../../core/text/format-setting.ts";

/** Returns the panes of a sent package. */
export function sentPanes(page: Page, view: PageView, item: SentItem, onOpen: () => void) {
  return {
    main: {
      label: item.title,
      bar: <SentBar item={item} onOpen={onOpen} />,
      content: (
        <ClipList
          label={t("page.sounds")}
          rows={item.sounds.map((sound) => sentRow(page, item, sound))}
          audio={page.sentAudio}
          selection={view.sentSelection}
          onSelect={(selection) => page.actions.selectSent(selection)}
          onOpen={onOpen}
        />
      ),
    },
    detail: {
      label: t("page.details"),
      content: <SentDetail item={item} selection={view.sentSelection} />,
    },
  } satisfies Record<"main" | "detail", object>;
}

/** The facts of a sound that an earlier visit described. */
const UNKNOWN = {
  kind: null,
  role: null,
  color: null,
  tempoBpm: null,
  lengthBeats: null,
  durationSeconds: null,
} satisfies Partial<ClipRow>;

/** Returns a row of a sent package; its key is unique among all packages. */
function sentRow(page: Page, item: SentItem, sound: DescribedSound): ClipRow {
  const { id, ...facts } = sound;
  const key = sentKey(item, id);
  return {
    ...UNKNOWN,
    ...facts,
    key,
    state: resultState(item, id),
    silentBecause: page.isHere(key) ? null : t("page.notHere"),
  };
}

function resultState({ results }: SentItem, id: string): ClipState | null {
  if (results === null) return null;
  const { status = "failed", differences = [] } = results[id] ?? {};
  const tone = { imported: "good", skipped: "mixed", failed: "bad" } as const;
  const isDifferent = status === "imported" && differences.length > 0;
  return { tone: isDifferent ? "mixed" : tone[status], words: formatStatus(t, status) };
}

interface SentBarProps {
  readonly item: SentItem;
  readonly onOpen: () => void;
}

/** A sent package's name, status and action. */
function SentBar({ item, onOpen }: SentBarProps): VNode {
  const { words, tone } = formatPackageStatus(t, item);
  return (
    <div class="sent-bar">
      <h2 id="sent-title" tabIndex={-1}>
        <bdi>{item.title}</bdi>
      </h2>
      <p class={`tone ${tone}`}>{words}</p>
      <button type="button" class="open-details" onClick={onOpen}>
        {t("page.details")}
      </button>
      <SentAction item={item} />
    </div>
  );
}

function SentAction({ item }: { readonly item: SentItem }): VNode {
  const { sent } = usePage().session;
  const { status, title, isDismissed } = item;
  if (status === "waiting" || status === "uploading") {
    const withdraw = async (): Promise<void> => {
      await sent.withdraw(item);
      focusSoon("sent-title");
    };
    return <AskFirst action="withdraw" name={title} act={withdraw} />;
  }
  const restore = (): void => {
    sent.undismiss(item);
    focusSoon("sent-title");
  };
  const dismiss = (): void => {
    sent.dismiss(item);
    focusSoon("undo-dismiss");
  };
  // Undo appears beside the button that was clicked.
  return (
    <div class="ask-first">
      <button
        type="button"
        id="undo-dismiss"
        class={isDismissed ? "" : "away"}
        disabled={!isDismissed}
        aria-label={t("page.undoDismissOf", { name: title })}
        onClick={restore}
      >
        {t("page.undoDismiss")}
      </button>
      <button
        type="button"
        class={isDismissed || status === null ? "away" : ""}
        disabled={isDismissed || status === null}
        aria-label={t("page.dismissPackage", { name: title })}
        onClick={dismiss}
      >
        {t("page.dismiss")}
      </button>
    </div>
  );
}

interface SentDetailProps {
  readonly item: SentItem;
  readonly selection: ClipSelection;
}

/** The result of a sent package, or of its selected sound. */
function SentDetail({ item, selection }: SentDetailProps): VNode {
  const { next } = formatPackageStatus(t, item);
  const sound = item.sounds.find(({ id }) => sentKey(item, id) === selection.active);
  return (
    <div class="sent-detail">
      {sound === undefined ? (
        <>
          <p>{t("page.sentTo", { computer: item.computerName })}</p>
          {next !== null && <p>{next}</p>}
          {item.trouble !== null && <p class="error">{item.trouble}</p>}
          <Notes sentences={item.warnings} />
        </>
      ) : (
        <>
          <h2 class="part-title">
            <bdi>{sound.name}</bdi>
          </h2>
          {item.results === null ? (
            <p class="quiet">{formatPackageStatus(t, item).words}</p>
          ) : (
            <Result result={item.results[sound.id]} />
          )}
        </>
      )}
    </div>
  );
}

function Result({ result }: { readonly result: SoundResult | undefined }): VNode {
  return (
    <>
      <p>{formatStatus(t, result?.status ?? "failed")}</p>
      {result?.error !== undefined && <p class="error">{formatResultError(t, result.error)}</p>}
      {(result?.differences ?? []).map((difference) => (
        <p key={difference.setting} class="difference">
          {formatDifference(t, difference)}
        </p>
      ))}
      <Notes sentences={result?.notes ?? []} />
    </>
  );
}
