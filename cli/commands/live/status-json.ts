import type { LiveStatus } from "../../../addon/live-setup/live-script.ts";

/** What `live status --json` prints (rule K5). */
export function statusJson({ library, script, surface, loaded }: LiveStatus): object {
  const answer = surface.kind === "answers" ? surface : null;
  return {
    library: library.kind === "found" ? library.path : null,
    script: script?.path ?? null,
    state: script?.state ?? null,
    version: script?.version ?? null,
    kept: script?.others ?? [],
    answers: answer !== null,
    loaded_version: loaded,
    live: answer?.live ?? null,
    edition: answer?.edition ?? null,
  };
}
