import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { formatAudioSentences, nameOfSound } from "../../../core/layout/format-audio-changes.ts";
import { formatSetting, nameSetting } from "../../../core/text/format-setting.ts";
import { t } from "../../kit/page-language.ts";
import { countOf } from "../../../core/text/count-of.ts";
import type { PreviewReadScene, SceneGolden } from "../../../core/protocol/preview-api.ts";
import { Refused, useAction } from "../../kit/action.tsx";
import { isReading } from "../list/scene-state.ts";
import { usePreview } from "../preview-store.ts";
import {
  COMPARED_HEADINGS,
  compareSides,
  differingColumns,
  filledColumns,
  type ComparedCell,
  type ComparedLayout,
} from "./compare-sides.ts";

interface ComparisonProps {
  readonly scene: PreviewReadScene;
}

/** The accepted layout beside the current one, with marked differences and a button to accept (rule V7). */
export function Comparison({ scene }: ComparisonProps): VNode {
  const { accepted, now } = useMemo(() => compareSides(scene), [scene]);
  const [isAll, setIsAll] = useState(false);
  const isWhole = isAll || accepted === null;
  const columns = isWhole
    ? filledColumns(accepted === null ? [now] : [accepted, now])
    : differingColumns([accepted, now]);
  return (
    <section class="comparison" aria-label={`Accepted and current layout of ${scene.name}`}>
      <p id={VERDICT}>{formatComparison(scene.golden)}</p>
      <Sentences scene={scene} />
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
          // This keeps its room.
          <section class="side">
            <h2 class="part-title">Accepted</h2>
            <p class="quiet">
              {isReading(scene) ? "Shown once the sounds are read" : "Nothing yet"}
            </p>
          </section>
        ) : (
          <SideTable title="Accepted" side={accepted} {...{ columns, isWhole }} />
        )}
        <SideTable title="Now" side={now} {...{ columns, isWhole }} />
      </div>
    </section>
  );
}

const VERDICT = "golden-verdict";

function AcceptButton({ scene }: ComparisonProps): VNode {
  const { calls } = usePreview();
  const { begin, isBusy, error } = useAction();
  const { golden } = scene;
  const isFaulty = golden.problems.length > 0;
  const isRefused = isFaulty || isReading(scene);
  const isAccepted = golden.status === "same" && golden.hints.length === 0 && !isFaulty;
  const accept = (): void => begin(() => calls.accept(scene.key, scene.revision));
  return (
    <>
      {/* The button stays, so that it keeps the focus. */}
      <button
        type="button"
        class="primary"
        aria-disabled={isBusy || isAccepted || isRefused}
        aria-describedby={VERDICT}
        onClick={() => {
          if (!isAccepted && !isRefused) accept();
        }}
      >
        {isAccepted ? "Accepted" : "Accept this layout"}
      </button>
      <Refused error={error} />
    </>
  );
}

/** The faults of the files, which keep the package from being accepted (rule B7), and the changes of the audio. */
function Sentences({ scene }: ComparisonProps): VNode {
  const { problems } = scene.golden;
  return (
    <>
      {problems.length > 0 && (
        <p class="tone bad">This can’t be accepted until its files are right:</p>
      )}
      <ul class="plain-list">
        {[...problems.map(({ text }) => text), ...formatChanges(scene)].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}

/** Formats what the tables don't show: the package's own settings, and what became of files and audio. */
function formatChanges({ golden, name, tracks, warnings }: PreviewReadScene): readonly string[] {
  if (golden.status !== "differs") return [];
  const now = { scene: { name }, tracks, warnings };
  const ofPackage = golden.differences
    .filter(({ sound, setting }) => sound === null && OF_PACKAGE.has(setting))
    .map(({ setting, accepted, now: is }) => {
      const change = [accepted, is].map((value) => formatSetting(t, setting, value)).join(" → ");
      return `${nameSetting(t, setting)}: ${change}`;
    });
  const nameOf = nameOfSound(golden.accepted, now);
  const ofSounds = formatAudioSentences(golden.audio, nameOf).map(
    ({ sound, text }) => `${nameOf(sound)}: ${text}`,
  );
  return [...ofPackage, ...ofSounds];
}

const OF_PACKAGE = new Set(["tempo_bpm", "time_signature"]);

function formatComparison(golden: SceneGolden): string {
  switch (golden.status) {
    case "same": {
      const isColored = golden.hints.some(({ code }) => code === "COLOR_AUTOMATIC");
      if (isColored) {
        return "This layout matches the accepted one, but that has colors that are automatic now. Accept it to update them.";
      }
      return golden.hints.length === 0
        ? "This layout matches the accepted one."
        : "Layout and audio match the accepted ones, but notes in some files changed. Accept it to update them.";
    }
    case "reading":
      return "Still reading the sounds… You can accept this layout after that.";
    case "missing":
      return "No layout has been accepted yet. This is the current one:";
    case "unreadable":
      return `${golden.error} This layout would replace it:`;
    case "differs":
      return `${countOf(golden.differences.length, "difference")} between the accepted and the current layout.`;
  }
}

interface SideTableProps {
  readonly title: string;
  readonly side: ComparedLayout;
  /** Indexes of the columns to show. */
  readonly columns: readonly number[];
  /** Set to show also the sounds that are the same in both. */
  readonly isWhole: boolean;
}

/** One of the two layouts as a table: a row for each sound, a column for each setting. */
function SideTable({ title, side, columns, isWhole }: SideTableProps): VNode {
  const rows = side.rows.filter(({ isSame }) => isWhole || !isSame);
  return (
    <section class="side">
      <h2 class="part-title">{title}</h2>
      <p class="side-scene">
        Scene <Words cell={side.scene} />
      </p>
      {rows.length > 0 && (
        // A scrollable area must be reachable by keyboard.
        <div class="side-scroller" tabIndex={0} role="region" aria-label={`${title}: sounds`}>
          <table>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {COMPARED_HEADINGS[column]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ soundId, cells }) => (
                <tr key={soundId}>
                  {cells === null ? (
                    <td colSpan={columns.length}>
                      <Words cell={{ words: "missing", isOther: true }} />
                    </td>
                  ) : (
                    columns.map((column) => (
                      <td key={column} class={classOf(column)}>
                        <Words cell={cells[column] ?? NOTHING} />
                      </td>
                    ))
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {(side.warnings.words !== "" || side.warnings.isOther) && (
        <p class="side-scene">
          Warnings <Words cell={side.warnings} />
        </p>
      )}
    </section>
  );
}

const NOTHING: ComparedCell = { words: "", isOther: false };

/** Returns a column's class: names and sentences may take several lines. */
function classOf(column: number): string {
  if (column === COMPARED_HEADINGS.length - 1) return "sentences";
  return column === 1 || column === 2 ? "names" : "";
}

/** A cell's text. A difference is marked with a word and a sign, not with color alone. */
function Words({ cell: { words, isOther } }: { readonly cell: ComparedCell }): VNode {
  if (!isOther) return <bdi>{words}</bdi>;
  return (
    <mark>
      <span class="unseen">differs: </span>
      <bdi>{words === "" ? "none" : words}</bdi>
    </mark>
  );
}
