import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type BenchResult, median } from "../bench/bench-result.ts";

// The pages say what `npm run bench -- --save` measured: each row has these figures, in this order.

const ROOT = join(import.meta.dirname, "../..");

const [upload, many, status, notice, imported, library, gained] = [
  readMeasured("upload"),
  readMeasured("upload-many"),
  readMeasured("status"),
  readMeasured("notice"),
  readMeasured("import"),
  readMeasured("library"),
  readMeasured("gained-copy"),
];
const announced = readMeasured("announce");
const swept = readMeasured("sweep");
const checked = readMeasured("library-check");

test.each([
  ["Upload of", [`${print(upload.ours)} MB/s`, `${print(upload.bare)} MB/s`, times(upload.ratio)]],
  ["32 such uploads", [`${print(many.peakMb)} MB`]],
  [
    "Status call",
    [`${hundreds(status.ours)}/s`, `${hundreds(status.bare)}/s`, times(status.ratio)],
  ],
  ["Commit", [`${print(notice.ours, 1)} ms`]],
  ["The layouts", [seconds(library.ours, 1), seconds(library.bare, 1), times(library.ratio)]],
  [
    "Import of",
    [`${print(imported.ours)} ms`, `${print(imported.bare)} ms`, times(imported.ratio)],
  ],
])("README's figures are the measured ones: %s", (row, figures) => {
  expect(figuresMissing("README.md", row, figures)).toEqual([]);
});

test.each([
  [
    "`upload`",
    [
      `${print(upload.ours, 1)} MB/s`,
      `peak ${print(upload.peakMb)} MB`,
      `${print(upload.bare, 1)} MB/s`,
      times(upload.ratio),
    ],
  ],
  ["`upload-many`", [`${print(many.ours, 1)} MB/s`, `peak ${print(many.peakMb)} MB`]],
  [
    "`status`",
    [`${print(status.ours)} calls/s`, `${print(status.bare)} calls/s`, times(status.ratio)],
  ],
  [
    "`announce`",
    [
      `${print(announced.ours)} calls/s`,
      `${print(announced.bare)} calls/s`,
      times(announced.ratio),
    ],
  ],
  ["`notice`", [`${print(notice.ours, 1)} ms`, `median ${print(notice.ours, 1)} ms`]],
  ["`import`", [`${print(imported.ours)} ms`, `${print(imported.bare)} ms`, times(imported.ratio)]],
  [
    "`library`",
    [
      seconds(library.ours, 2),
      `peak ${print(library.peakMb)} MB`,
      seconds(library.bare, 2),
      times(library.ratio),
    ],
  ],
  [
    "`library-check`",
    [
      `${print(checked.ours)} ms`,
      `peak ${print(checked.peakMb)} MB`,
      `${print(checked.bare)} ms`,
      times(checked.ratio),
    ],
  ],
  [
    "`sweep`",
    [
      `${print(swept.ours)} files/s`,
      `peak ${print(swept.peakMb)} MB`,
      `${print(swept.bare)} files/s`,
      times(swept.ratio),
    ],
  ],
  ["`gained-copy`", [`${print(gained.ours)} ms`, `${print(gained.bare)} ms`, times(gained.ratio)]],
])("docs/build/performance.md's figures are the measured ones: %s", (row, figures) => {
  expect(figuresMissing("docs/build/performance.md", row, figures)).toEqual([]);
});

test("docs/build/performance.md's figures are the measured ones: `pages`", () => {
  const path = join(ROOT, "test/bench/results/pages.json");
  const { sides } = JSON.parse(readFileSync(path, "utf8")) as BenchResult;
  const [emptyPaint = NaN, paint = NaN, plainWork = NaN, work = NaN] = sides.map(({ values }) =>
    median(values),
  );
  const figures = [
    `${print(paint)} ms`,
    `${print(work, 1)} ms`,
    `${print(emptyPaint)} ms`,
    `${print(plainWork, 1)} ms`,
  ];
  expect(figuresMissing("docs/build/performance.md", "`pages`", figures)).toEqual([]);
});

interface Measured {
  /** Medians; NaN without a bare run. */
  readonly ours: number;
  readonly bare: number;
  readonly ratio: number;
  readonly peakMb: number;
}

function readMeasured(name: string): Measured {
  const result = JSON.parse(readFileSync(join(ROOT, `test/bench/results/${name}.json`), "utf8"));
  const { sides } = result as BenchResult;
  const bareRun = sides.find((side) => side.name === "bare");
  const ourRun = sides.find((side) => side.name !== "bare");
  const ours = median(ourRun?.values ?? []);
  const bare = bareRun === undefined ? NaN : median(bareRun.values);
  return { ours, bare, ratio: ours / bare, peakMb: ourRun?.peakMb ?? NaN };
}

/** The figures that the table's row lacks, in their order. */
function figuresMissing(page: string, row: string, figures: readonly string[]): readonly string[] {
  const lines = readFileSync(join(ROOT, page), "utf8").split("\n");
  let rest = lines.find((line) => line.startsWith(`| ${row}`)) ?? "";
  return figures.filter((figure) => {
    // With a space before it: 17 MB/s is not in 417 MB/s.
    const at = rest.indexOf(` ${figure}`);
    if (at >= 0) rest = rest.slice(at + figure.length);
    return at < 0;
  });
}

function print(value: number, digits = 0): string {
  return value.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** To three significant figures, the precision of a rate of calls. */
function hundreds(value: number): string {
  return print(Math.round(value / 100) * 100);
}

function seconds(milliseconds: number, digits: number): string {
  return `${print(milliseconds / 1000, digits)} s`;
}

function times(ratio: number): string {
  return `${print(ratio, 2)} ×`;
}
