import type { VNode } from "preact";
import type { ImportRequest } from "../../../core/protocol/panel-api.ts";
import { usePanel } from "../panel-context.ts";
import { Refused } from "../../../web/refused.tsx";
import { useAction } from "../../../web/use-action.ts";

interface ImportButtonProps {
  readonly request: ImportRequest;
  readonly title: string;
  /** The last run's error, which decides the options of the next one. */
  readonly code: string | null;
  readonly isAgain?: boolean;
}

/** Starts an import and shows its error. */
export function ImportButton({ request, title, code, isAgain = false }: ImportButtonProps): VNode {
  const { store } = usePanel();
  const { begin, isBusy, error } = useAction();
  const fullRequest: ImportRequest = {
    ...request,
    ...(code === "ALREADY_PLACED" && { again: true }),
    ...(code === "RUN_ELSEWHERE" && { takeOver: true }),
  };
  const label = labelFor(code, isAgain);
  return (
    <div class="act">
      <button
        type="button"
        class={isAgain ? "" : "primary"}
        aria-disabled={isBusy}
        aria-label={`${label}: ${title}`}
        onClick={() => begin(() => store.import(fullRequest))}
      >
        {label}
      </button>
      <Refused error={error} />
    </div>
  );
}

function labelFor(code: string | null, isAgain: boolean): string {
  if (code === "RUN_ELSEWHERE") return "Take over";
  return isAgain || code === "ALREADY_PLACED" ? "Import again" : "Import";
}
