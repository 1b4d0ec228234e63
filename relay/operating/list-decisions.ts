import { SWITCHES, type SwitchName } from "../domain/ports.ts";
import { ask, statement, type Work } from "../storage/records/statement.ts";
import { type Page, type PageOf, readPage, type Stored, timeOf, withTimes } from "./pages.ts";

export interface ListedBlock {
  readonly subject: string;
  readonly kind: string;
  readonly blocked_at: string;
}

export interface ListedDenial {
  readonly sha256: string;
  readonly denied_at: string;
}

export interface ListedSwitch {
  readonly name: SwitchName;
  readonly on: boolean;
  /** The operator's own words for callers; null for the usual ones. */
  readonly sentence: string | null;
  readonly switched_at: string | null;
}

export interface ListedOperation {
  readonly seq: number;
  readonly at: string;
  readonly who: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: string | null;
}

const BLOCKS = statement<Stored<ListedBlock>>(
  "view_blocks",
  `SELECT subject, kind, blocked_at FROM blocks
   WHERE subject > :after ORDER BY subject LIMIT 0 + :limit`,
);
const DENIALS = statement<Stored<ListedDenial>>(
  "view_denials",
  `SELECT sha256, denied_at FROM denied_sounds
   WHERE sha256 > :after ORDER BY sha256 LIMIT 0 + :limit`,
);
const SWITCHED_OFF = statement<{
  readonly name: string;
  readonly sentence: string | null;
  readonly switched_at: number;
}>("view_switches", "SELECT name, sentence, switched_at FROM switches");
const OPERATIONS = statement<Stored<ListedOperation>>(
  "view_operations",
  `SELECT seq, at, who, action, subject, detail FROM operator_log
   WHERE seq < :before ORDER BY seq DESC LIMIT 0 + :limit`,
);

/** Lists blocked addresses, networks and devices. */
export function listBlocks(page: PageOf): Work<Page<ListedBlock>> {
  return readPage(page, BLOCKS, withTimes);
}

/** Lists denied sounds. */
export function listDenials(page: PageOf): Work<Page<ListedDenial>> {
  return readPage(page, DENIALS, withTimes);
}

/** Lists every switch. */
export function* listSwitches(): Work<readonly ListedSwitch[]> {
  const rows = yield* ask(SWITCHED_OFF());
  return SWITCHES.map((name) => {
    const off = rows.find((row) => row.name === name);
    if (off === undefined) return { name, on: true, sentence: null, switched_at: null };
    return { name, on: false, sentence: off.sentence, switched_at: timeOf(off.switched_at) };
  });
}

/** Lists the operations of operators, newest first. `after` is the number of an entry; the page has older ones. */
export function listOperations(page: PageOf): Work<Page<ListedOperation>> {
  const before = Number(page.after ?? Number.MAX_SAFE_INTEGER);
  return readPage(page, (values) => OPERATIONS({ ...values, before }), withTimes);
}
