import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { usePanel } from "../panel-context.ts";
import { useNow } from "../use-now.ts";
import { formatMoment } from "../text/format-moment.ts";
import { formatInto } from "../../../core/page/format-host.ts";
import { formatOutcome } from "../../../core/page/format-outcome.ts";
import { cardNameOf, type PastImport } from "./group-packages.ts";
import { ImportButton } from "./import-button.tsx";
import { ResultList } from "./result-list.tsx";
import { isAsAsked, type ResultRow, resultRowsOf } from "./result-rows.ts";

interface PastImportCardProps {
  readonly past: PastImport;
  /** Expands the sounds if some failed or differ. */
  readonly isNew: boolean;
}

/** A finished import: its result, and Import again. */
export function PastImportCard({ past, isNew }: PastImportCardProps): VNode {
  const { store } = usePanel();
  const { packageId, otherHost, title, result, offered } = past;
  const rows = resultRowsOf(past);
  const name = cardNameOf(past);
  const isOwn = otherHost === undefined;
  const isShown = store.shownResult === name;
  const [isOpen, setIsOpen] = useState(isShown || (isNew && !rows.every(isAsAsked)));
  const titleId = `result-${name}`;
  useEffect(() => {
    if (isShown) document.getElementById(titleId)?.focus();
  }, [isShown, titleId]);
  return (
    <article
      class={isShown ? "card shown" : "card"}
      aria-labelledby={titleId}
      data-then={`run-${packageId} package-${packageId} packages`}
    >
      <div class="head">
        <div class="title">
          <h3 id={titleId} tabIndex={-1}>
            <bdi>{title}</bdi>
          </h3>
          <Headline past={past} rows={rows} />
        </div>
        {offered !== null && (
          <ImportButton
            request={{ packageId }}
            title={title}
            code={isOwn && "error" in result ? result.code : null}
            isAgain={isOwn}
          />
        )}
      </div>
      {rows.length > 0 && (
        <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
          <summary>Sounds</summary>
          {isOpen && <ResultList rows={rows} />}
        </details>
      )}
    </article>
  );
}

function Headline({
  past,
  rows,
}: {
  readonly past: PastImport;
  readonly rows: readonly ResultRow[];
}): VNode {
  // Keeps “5 min ago” up to date.
  useNow(60_000);
  const { result, otherHost, at } = past;
  if ("error" in result) {
    return <p class={result.code === "CANCELLED" ? "quiet" : "error"}>{result.error}</p>;
  }
  const { words, tone } = formatOutcome(rows);
  return (
    <p class="facts">
      <span class={`outcome ${tone}`}>
        {words}
        {formatInto(otherHost)}
      </span>
      {at !== null && <span>{formatMoment(at, Date.now())}</span>}
    </p>
  );
}
