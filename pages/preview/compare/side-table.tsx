import type { VNode } from "preact";
import { COMPARED_HEADINGS, type ComparedCell, type ComparedLayout } from "./compare-sides.ts";

interface SideTableProps {
  readonly title: string;
  readonly side: ComparedLayout;
  /** Indexes of the columns to show. */
  readonly columns: readonly number[];
  /** Whether to show sounds that are the same in both, too. */
  readonly isWhole: boolean;
}

/** One of the two layouts as a table: a row for each sound, a column for each setting. */
export function SideTable({ title, side, columns, isWhole }: SideTableProps): VNode {
  const rows = side.rows.filter(({ isSame }) => isWhole || !isSame);
  return (
    <section class="side">
      <h3>{title}</h3>
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

/** Names and sentences may take several lines. */
function classOf(column: number): string {
  if (column === COMPARED_HEADINGS.length - 1) return "sentences";
  return column === 1 || column === 2 ? "names" : "";
}

/** A cell's text; a difference is marked with a word and a sign, not with colour alone. */
function Words({ cell: { words, isOther } }: { readonly cell: ComparedCell }): VNode {
  if (!isOther) return <bdi>{words}</bdi>;
  return (
    <mark>
      <span class="unseen">differs: </span>
      <bdi>{words === "" ? "none" : words}</bdi>
    </mark>
  );
}
