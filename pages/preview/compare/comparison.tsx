import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { countOf } from "../../../core/text/count-of.ts";
import type { PreviewGolden, PreviewReadScene } from "../../../core/protocol/preview-api.ts";
import { Refused } from "../../kit/refused.tsx";
import { useAction } from "../../kit/use-action.ts";
import { usePreview } from "../preview-context.ts";
import { COMPARED_HEADINGS, compareSides, differingColumns } from "./compare-sides.ts";
import { SideTable } from "./side-table.tsx";

interface ComparisonProps {
  readonly scene: PreviewReadScene;
}

/** The accepted layout beside the current one, with marked differences and a button to accept (rule V7). */
export function Comparison({ scene }: ComparisonProps): VNode {
  const { accepted, now } = useMemo(() => compareSides(scene), [scene]);
  const [isAll, setIsAll] = useState(false);
  const isWhole = isAll || accepted === null;
  const columns = isWhole
    ? COMPARED_HEADINGS.map((_, column) => column)
    : differingColumns([accepted, now]);
  return (
    <section class="comparison" aria-label={`Accepted and current layout of ${scene.name}`}>
      <p>{formatComparison(scene.golden)}</p>
      <div class="buttons">
        <AcceptButton scene={scene} />
        {accepted !== null && (
          <button type="button" class="plain" onClick={() => setIsAll(!isAll)}>
            {isAll ? "Show differences only" : "Show everything"}
          </button>
        )}
      </div>
      <div class="sides">
        {accepted === null ? (
          // Its room is kept.
          <section class="side">
            <h3>Accepted</h3>
            <p class="quiet">Nothing yet</p>
          </section>
        ) : (
          <SideTable title="Accepted" side={accepted} {...{ columns, isWhole }} />
        )}
        <SideTable title="Now" side={now} {...{ columns, isWhole }} />
      </div>
    </section>
  );
}

function AcceptButton({ scene }: ComparisonProps): VNode {
  const { calls } = usePreview();
  const { begin, isBusy, error } = useAction();
  const { golden } = scene;
  const isAccepted = golden.status === "same" && golden.colorsNowAutomatic.length === 0;
  const accept = (): void => begin(() => calls.accept(scene.key, scene.revision));
  return (
    <>
      {/* It stays, so that the focus does, too. */}
      <button
        type="button"
        class="primary"
        aria-disabled={isBusy || isAccepted}
        onClick={() => {
          if (!isAccepted) accept();
        }}
      >
        {isAccepted ? "Accepted" : "Accept this layout"}
      </button>
      <Refused error={error} />
    </>
  );
}

function formatComparison(golden: PreviewGolden): string {
  switch (golden.status) {
    case "same":
      return golden.colorsNowAutomatic.length === 0
        ? "This layout matches the accepted one."
        : "This layout matches the accepted one, but that has colours that are automatic now. Accept it to update them.";
    case "missing":
      return "No layout has been accepted yet. This is the current one:";
    case "unreadable":
      return `${golden.error} This layout would replace it:`;
    case "differs":
      return `${countOf(golden.differences.length, "difference")} between the accepted and the current layout.`;
  }
}
