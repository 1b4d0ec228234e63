import type { VNode } from "preact";
import { countOf } from "../../../core/text/count-of.ts";
import { usePage } from "../page-context.ts";
import type { RefusedFile } from "./page-sound.ts";

/** The files that can't be sent, and why: known before anything is sent. */
export function RefusedFiles({ files }: { readonly files: readonly RefusedFile[] }): VNode | null {
  const { sounds } = usePage();
  if (files.length === 0) return null;
  const clear = (): void => {
    sounds.clearRefused();
    document.getElementById("add-sounds")?.focus();
  };
  return (
    <div class="refused" role="group" aria-labelledby="refused">
      <div class="head">
        <h3 id="refused">{countOf(files.length, "file")} can’t be sent</h3>
        <button type="button" class="plain" onClick={clear}>
          Dismiss
        </button>
      </div>
      <ul>
        {files.map(({ key, sentence }) => (
          <li key={key} class="error">
            {sentence}
          </li>
        ))}
      </ul>
    </div>
  );
}
