import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { countOf } from "../../../../core/text/count-of.ts";
import type { PreviewGolden, PreviewReadScene } from "../../../../core/protocol/preview-api.ts";
import { Refused } from "../../../../web/refused.tsx";
import { useAction } from "../../../../web/use-action.ts";
import { usePreview } from "../preview-context.ts";
import { COMPARED_HEADINGS, compareSides, differingColumns } from "./compare-sides.ts";
import { SideTable } from "./side-table.tsx";

interface ComparisonProps {
  readonly scene: PreviewReadScene;
  readonly onAccepted: () => void;
}

/** The accepted layout beside the current one, with marked differences and a button to accept (rule V7). */
export function Comparison({ scene, onAccepted }: ComparisonProps): VNode {
  const { accepted, now } = useMemo(() => compareSides(scene), [scene]);
  const [isAll, setIsAll] = useState(false);
  const isWhole = isAll || accepted === null;
  const columns = isWhole
    ? COMPARED_HEADINGS.map((_, column) => column)
    : differingColumns([accepted, now]);
  return (
    <section class="comparison" aria-label={`Accepted and current layout of ${scene.name}`}>
      <p>{formatComparison(scene.golden)}</p>
      <div class="sides">
        {accepted !== null && (
          <SideTable title="Accepted" side={accepted} {...{ columns, isWhole }} />
        )}
        <SideTable title="Now" side={now} {...{ columns, isWhole }} />
      </div>
      <div class="buttons">
        <AcceptButton scene={scene} onAccepted={onAccepted} />
        {accepted !== null && (
          <button type="button" class="plain" onClick={() => setIsAll(!isAll)}>
            {isAll ? "Show differences only" : "Show everything"}
          </button>
        )}
      </div>
    </section>
  );
}

function AcceptButton({ scene, onAccepted }: ComparisonProps): VNode {
  const { calls } = usePreview();
  const { begin, isBusy, error } = useAction();
  const accept = (): void => begin(() => calls.accept(scene.key, scene.revision), onAccepted);
  return (
    <>
      <button type="button" class="primary" aria-disabled={isBusy} onClick={accept}>
        Accept this layout
      </button>
      <Refused error={error} />
    </>
  );
}

function formatComparison(golden: PreviewGolden): string {
  switch (golden.status) {
    case "same":
      return "This layout matches the accepted one.";
    case "missing":
      return "No layout has been accepted yet. This is the current one:";
    case "unreadable":
      return `${golden.error} This layout would replace it:`;
    case "differs":
      return `${countOf(golden.differences.length, "difference")} between the accepted and the current layout.`;
  }
}
