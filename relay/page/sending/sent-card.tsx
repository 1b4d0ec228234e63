import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { SoundResult } from "../../../core/protocol/package-status.ts";
import { formatStatus } from "../../../core/page/format-outcome.ts";
import { formatDifference } from "../../../core/page/format-setting.ts";
import { focusSoon } from "../parts/focus-soon.ts";
import { usePage } from "../page-context.ts";
import { Notes } from "../parts/notes.tsx";
import { AskFirst } from "../parts/ask-first.tsx";
import { formatStatusOf } from "./format-status.ts";
import type { SentItem } from "./sent-item.ts";
import { Refused } from "../../../web/refused.tsx";

interface SentCardProps {
  readonly item: SentItem;
  /** Whether it was just sent and should get the focus. */
  readonly isNew: boolean;
}

/** A sent package: its status, then the result of each sound. */
export function SentCard({ item, isNew }: SentCardProps): VNode {
  const { sent } = usePage();
  const { title, status, results, trouble, packageId } = item;
  const { words, tone, next } = formatStatusOf(item);
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = `sent-${packageId}`;
  useLayoutEffect(() => {
    if (isNew) heading.current?.focus();
  }, [isNew]);
  const canBeTaken = status === "waiting" || status === "uploading";
  const withdraw = async (): Promise<void> => {
    await sent.withdraw(item);
    focusSoon(headingId);
  };
  const dismiss = (): void => {
    sent.dismiss(item);
    document.getElementById("add-sounds")?.focus();
  };
  return (
    <li>
      <article class="card" aria-labelledby={headingId}>
        <div class="head">
          <div class="title">
            <h3 id={headingId} ref={heading} tabIndex={-1}>
              <bdi>{title}</bdi> <span class="quiet">→ {item.computerName}</span>
            </h3>
            <p class={`outcome ${tone}`}>{words}</p>
            {next !== null && <p>{next}</p>}
            <Refused error={trouble} />
          </div>
          {canBeTaken ? (
            <AskFirst verb="Withdraw" thing={title} refuse="Keep" act={withdraw} />
          ) : (
            <button type="button" class="plain" aria-label={`Dismiss ${title}`} onClick={dismiss}>
              Dismiss
            </button>
          )}
        </div>
        <Notes sentences={item.warnings} />
        {results !== null && (
          <ul class="results">
            {item.sounds.map(({ id, name }) => (
              <ResultRow key={id} name={name} result={results[id]} />
            ))}
          </ul>
        )}
      </article>
    </li>
  );
}

interface ResultRowProps {
  readonly name: string;
  readonly result: SoundResult | undefined;
}

function ResultRow({ name, result }: ResultRowProps): VNode {
  const status = result?.status ?? "failed";
  return (
    <li>
      <span class={`status ${status}`}>{formatStatus(status)}</span>
      <div class="title">
        <bdi class="name">{name}</bdi>
        {result?.error !== undefined && <p class="error">{result.error}</p>}
        {(result?.differences ?? []).map((difference) => (
          <p key={difference.setting} class="difference">
            {formatDifference(difference)}
          </p>
        ))}
        <Notes sentences={result?.notes ?? []} />
      </div>
    </li>
  );
}
