import type { VNode } from "preact";
import { MAX_SOUNDS } from "../../../core/limits.ts";
import { countOf } from "../../../core/text/count-of.ts";
import { usePage } from "../page-context.ts";
import type { RefusedFile } from "./page-sound.ts";

/** The files that can't be sent, and why: known before anything is sent. */
export function RefusedFiles({ files }: { readonly files: readonly RefusedFile[] }): VNode | null {
  const { sounds } = usePage();
  if (files.length === 0) return null;
  const tooMany = files.filter(({ sentence }) => sentence === null);
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
        {files
          .filter(({ sentence }) => sentence !== null)
          .map(({ key, sentence }) => (
            <li key={key} class="error">
              {sentence}
            </li>
          ))}
        {tooMany.length > 0 && <li class="error">{formatTooMany(tooMany)}</li>}
      </ul>
    </div>
  );
}

/** One sentence for all of them: a folder may hold hundreds. */
function formatTooMany([first, ...others]: readonly RefusedFile[]): string {
  const which = others.length === 0 ? "doesn’t fit" : `and ${others.length} more don’t fit`;
  return `${first?.name ?? ""} ${which}: a package can have ${MAX_SOUNDS} sounds.`;
}
