/** A corpus's verdict on a file: must be accepted, must be refused, or either. */
export type Verdict = "accept" | "reject" | "policy";

/** The audio columns that an index may have. */
export const AUDIO_COLUMNS = ["sampleRate", "channels", "bits", "frames"] as const;

/** One line of a corpus's index. */
export interface IndexLine {
  /** Path within the corpus's folder, with `/`. */
  readonly file: string;
  readonly verdict: Verdict;
  /** The reason, as the index states it; may be empty. */
  readonly why: string;
  /** Only what the index states. */
  readonly audio: ReadonlyMap<(typeof AUDIO_COLUMNS)[number], number>;
}

/**
 * Parses an `INDEX.tsv`: a line of column names, of which `file` and `verdict` are required, and a line for
 * each file. An empty field states nothing.
 * @throws {Error} naming the invalid line
 */
export function readIndex(text: string): readonly IndexLine[] {
  const [head = "", ...lines] = text.replaceAll("\r", "").split("\n");
  const columns = head.split("\t");
  for (const needed of ["file", "verdict"]) {
    if (!columns.includes(needed)) throw new Error(`INDEX.tsv has no column ${needed}.`);
  }
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const fields = line.split("\t");
    return [readLine(new Map(columns.map((name, at) => [name, fields[at] ?? ""])), index + 2)];
  });
}

function readLine(fields: ReadonlyMap<string, string>, lineNumber: number): IndexLine {
  const file = fields.get("file") ?? "";
  const verdict = fields.get("verdict") ?? "";
  if (file === "" || !isVerdict(verdict)) {
    throw new Error(
      `INDEX.tsv, line ${lineNumber}: a file and accept, reject or policy are needed.`,
    );
  }
  const audio = AUDIO_COLUMNS.flatMap((column) => {
    const field = fields.get(column) ?? "";
    return field === "" ? [] : [[column, Number(field)] as const];
  });
  return { file, verdict, why: fields.get("why") ?? "", audio: new Map(audio) };
}

function isVerdict(text: string): text is Verdict {
  return text === "accept" || text === "reject" || text === "policy";
}
