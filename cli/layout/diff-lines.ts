/** Unchanged lines that are shown around a change. */
const CONTEXT_LINES = 2;

interface DiffLine {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/**
 * The lines in which two texts differ, with a little of what stands around them: `-` is only in the
 * first, `+` only in the second, `⋮` stands for lines left out. Empty when the texts are the same.
 */
export function diffLines(before: string, after: string): string {
  const lines = alignLines(splitLines(before), splitLines(after));
  const isNear = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - CONTEXT_LINES), index + CONTEXT_LINES + 1)
      .some(({ mark }) => mark !== " "),
  );
  return lines
    .flatMap(({ mark, text }, index) => {
      if (isNear[index]) return [`${mark} ${text}`];
      return isNear[index - 1] ? ["  ⋮"] : [];
    })
    .join("\n");
}

function splitLines(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** Both texts in one list, as many lines as possible shared. */
function alignLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const shared = countShared(before, after);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const [old, now] = [before[i], after[j]];
    if (old !== undefined && old === now) {
      lines.push({ mark: " ", text: old });
      i++;
      j++;
    } else if (old !== undefined && (now === undefined || shared(i + 1, j) >= shared(i, j + 1))) {
      lines.push({ mark: "-", text: old });
      i++;
    } else {
      lines.push({ mark: "+", text: now ?? "" });
      j++;
    }
  }
  return lines;
}

/** How many lines the two texts share in order, from line `i` of the first and `j` of the second on. */
function countShared(
  before: readonly string[],
  after: readonly string[],
): (i: number, j: number) => number {
  const width = after.length + 1;
  const counts = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => counts[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      counts[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
}
