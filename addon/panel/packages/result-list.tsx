import type { VNode } from "preact";
import { formatDifference } from "../../../core/page/format-setting.ts";
import { formatStatus } from "../../../core/page/format-outcome.ts";
import type { ResultRow } from "./result-rows.ts";

/** Each sound's result, with errors, differences and notes. */
export function ResultList({ rows }: { readonly rows: readonly ResultRow[] }): VNode {
  return (
    <ul class="results">
      {rows.map((row) => (
        <li key={row.id}>
          <span class={`status ${row.status}`}>{formatStatus(row.status)}</span>
          <div class="title">
            <bdi class="name">{row.name}</bdi>
            {row.error !== null && <p class="error">{row.error}</p>}
            {row.differences.map((difference) => (
              <p key={difference.setting} class="difference">
                {formatDifference(difference)}
              </p>
            ))}
            {row.notes.map((note) => (
              <p key={note} class="note">
                {note}
              </p>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}
