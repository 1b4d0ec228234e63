import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { PanelState } from "../../../core/protocol/panel-api.ts";
import { usePanel } from "../panel-context.ts";
import { cardNameOf, groupPackages, type PastImport } from "./group-packages.ts";
import { NothingWaits } from "./nothing-waits.tsx";
import { PackageCard } from "./package-card.tsx";
import { PastImportCard } from "./past-import-card.tsx";
import { RunCard } from "./run-card.tsx";
import { UnusableFolder } from "./unusable-folder.tsx";

interface ImportsColumnProps {
  readonly state: PanelState;
  readonly readAtMs: number;
}

/** Active, new, waiting and earlier imports. */
export function ImportsColumn({ state, readAtMs }: ImportsColumnProps): VNode {
  const { waiting, past } = groupPackages(state);
  const isNew = useNewness(state);
  const first = waiting.find(
    ({ offered }) => !("error" in offered) && offered.status !== "expired",
  );
  return (
    <>
      {state.runs.length > 0 && (
        <section aria-labelledby="runs">
          <h2 id="runs">Importing</h2>
          {state.runs.map((run) => (
            <RunCard key={cardNameOf(run)} run={run} />
          ))}
        </section>
      )}
      <PastImports id="new" title="Results" imports={past.filter(isNew)} isNew />
      <section aria-labelledby="packages">
        <h2 id="packages" tabIndex={-1}>
          Waiting for import
        </h2>
        {waiting.map(({ offered, failure }) =>
          "error" in offered ? (
            <UnusableFolder key={offered.packageId} folder={offered} />
          ) : (
            <PackageCard
              key={offered.packageId}
              offered={offered}
              failure={failure}
              readAtMs={readAtMs}
              host={state.host}
              isFirst={offered.packageId === first?.offered.packageId}
            />
          ),
        )}
        {waiting.length === 0 && <NothingWaits state={state} />}
      </section>
      <PastImports id="past" title="Earlier imports" imports={past.filter((one) => !isNew(one))} />
    </>
  );
}

/** Returns a test for imports that finished after the page was opened, or that it was opened for. */
function useNewness({ finished }: PanelState): (one: PastImport) => boolean {
  const { store } = usePanel();
  const [known] = useState(() => new Set(finished.map(({ at }) => at)));
  return (one) => cardNameOf(one) === store.shownResult || (one.at !== null && !known.has(one.at));
}

interface PastImportsProps {
  readonly id: string;
  readonly title: string;
  readonly imports: readonly PastImport[];
  /** Expands the sounds of imports where some failed or differ. */
  readonly isNew?: boolean;
}

function PastImports({ id, title, imports, isNew = false }: PastImportsProps): VNode | null {
  if (imports.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        {title}
      </h2>
      {imports.map((past) => (
        <PastImportCard key={cardNameOf(past)} past={past} isNew={isNew} />
      ))}
    </section>
  );
}
