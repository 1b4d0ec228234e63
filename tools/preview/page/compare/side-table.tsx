import type { VNode } from "preact";
import { COMPARED_HEADINGS, type ComparedCell, type ComparedSide } from "./compare-sides.ts";

interface SideTableProps {
  readonly title: string;
  readonly side: ComparedSide;
  /** Places of the columns that are shown. */
  readonly columns: readonly number[];
  /** Whether sounds that are the same in both are shown as well. */
  readonly isWhole: boolean;
}

/** One of two layouts as a table: a line for each sound, its settings as columns. */
export function SideTable({ title, side, columns, isWhole }: SideTableProps): VNode {
  const rows = side.rows.filter(({ isSame }) => isWhole || !isSame);
  return (
    <section class="side">
      <h3>{title}</h3>
      <p class="side-scene">
        Scene <Words cell={side.scene} />
      </p>
      {rows.length > 0 && (
        // What scrolls must be reached by the keyboard, too.
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

/** Names and sentences may take several lines. */
function classOf(column: number): string {
  if (column === COMPARED_HEADINGS.length - 1) return "sentences";
  return column === 1 || column === 2 ? "names" : "";
}

/** A cell's words; where the other layout has others, a sign and a word say so, and not the colour alone. */
function Words({ cell: { words, isOther } }: { readonly cell: ComparedCell }): VNode {
  if (!isOther) return <bdi>{words}</bdi>;
  return (
    <mark>
      <span class="unseen">differs: </span>
      <bdi>{words === "" ? "none" : words}</bdi>
    </mark>
  );
}
