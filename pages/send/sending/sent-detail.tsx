import type { VNode } from "preact";
import type { SoundResult } from "../../../core/protocol/package-status.ts";
import { formatDifference } from "../../../core/text/format-setting.ts";
import { formatStatus } from "../../../core/text/format-outcome.ts";
import type { ClipSelection } from "../../kit/clip-list/clip-row.ts";
import { t } from "../../kit/text.tsx";
import { Notes } from "../parts/notes.tsx";
import {
  formatPackageStatus,
  formatResultError,
} from "../../../client/send/words/format-status.ts";
import type { SentItem } from "./sent-item.ts";
import { sentKey } from "./sent-key.ts";

interface SentDetailProps {
  readonly item: SentItem;
  readonly selection: ClipSelection;
}

/** What is known of a sent package, and of its selected sound. */
export function SentDetail({ item, selection }: SentDetailProps): VNode {
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
          <h3>
            <bdi>{sound.name}</bdi>
          </h3>
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
