import { RUN_REASONS, RUN_STEPS, RUN_WORDS } from "../../protocol/run-parts.ts";
import { RUN_SENTENCES } from "../../protocol/run-sentences.ts";

type Keyed<Area extends string, Table> = {
  readonly [Code in keyof Table as `${Area}.${Code & string}`]: Table[Code];
};

function keyed<Area extends string, Table extends Readonly<Record<string, string>>>(
  area: Area,
  table: Table,
): Keyed<Area, Table> {
  const entries = Object.entries(table).map(([code, text]) => [`${area}.${code}`, text]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entries of the table that its type is made of
  return Object.fromEntries(entries) as Keyed<Area, Table>;
}

/** What an import reports (rule N28). In English these are the importer's own sentences and their parts. */
export const RUN_TEXTS = {
  ...keyed("run", RUN_SENTENCES),
  ...keyed("step", RUN_STEPS),
  ...keyed("reason", RUN_REASONS),
  ...keyed("word", RUN_WORDS),
  "word.comma": ", ",
};
