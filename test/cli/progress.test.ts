import { PassThrough } from "node:stream";
import type { WriteStream } from "node:tty";
import { expect, test } from "vitest";
import { formatBytes } from "../../cli/format.ts";
import { harmless } from "../../cli/output.ts";
import { showProgress, showTotal } from "../../cli/progress.ts";

const SIZES = new Map([
  ["a.wav", 1000],
  ["b.wav", 3000],
]);

/** Shows progress on a stream, a terminal or not; returns what was written and said. */
function watch(isTTY: boolean): {
  written: () => string;
  said: string[];
  run: (act: (progress: ReturnType<typeof showProgress>) => void) => void;
} {
  const stream = Object.assign(new PassThrough(), { isTTY, columns: 120 });
  const said: string[] = [];
  const output = { say: (line: string) => void said.push(line), give: () => {} };
  return {
    said,
    written: () => readAll(stream),
    // As much of a terminal as the bar needs.
    run: (act) => act(showProgress("Sent", SIZES, output, stream as unknown as WriteStream)),
  };
}

/** Everything that was written; from Node 26 on, each read returns a single piece. */
function readAll(stream: PassThrough): string {
  const piece: unknown = stream.read();
  return Buffer.isBuffer(piece) ? piece.toString() + readAll(stream) : "";
}

test("without a terminal, prints one line per finished file, even if it was restarted", () => {
  const { said, written, run } = watch(false);
  run((progress) => {
    progress.update("b.wav", 1500);
    progress.update("b.wav", 0);
    progress.update("b.wav", 3000);
    progress.update("b.wav", 3000);
    progress.say("A word.");
    progress.update("a.wav", 1000);
    progress.stop();
  });
  expect(said).toEqual(["Sent 1 of 2: b.wav (3.0 kB)", "A word.", "Sent 2 of 2: a.wav (1.0 kB)"]);
  expect(written()).toBe("");
});

test("draws a bar on a terminal", () => {
  const { said, written, run } = watch(true);
  run((progress) => {
    progress.update("a.wav", 1000);
    progress.update("b.wav", 1000);
    progress.stop();
  });
  expect(said).toEqual([]);
  expect(written()).toContain(" 50 %  2.0 kB of 4.0 kB  1 of 2 sounds");
});

test("[Z16] work of a total size has a bar with the time left, or a line for each tenth", () => {
  const [shown, said] = [true, false].map((isTTY) => {
    const stream = Object.assign(new PassThrough(), { isTTY, columns: 120 });
    const lines: string[] = [];
    const output = { say: (line: string) => void lines.push(line), give: () => {} };
    // As much of a terminal as the bar needs.
    const progress = showTotal("Compared", output, stream as unknown as WriteStream);
    progress.begin(4000);
    for (const bytes of [100, 1900, 2000]) progress.add(bytes);
    progress.stop();
    return { written: readAll(stream), lines };
  });
  expect(shown?.written).toMatch(/Compared █.* 100 % {2}4\.0 kB of 4\.0 kB {2}\S+ left/);
  expect(shown?.lines).toEqual([]);
  expect(said).toEqual({
    written: "",
    lines: ["Compared 2.0 kB of 4.0 kB", "Compared 4.0 kB of 4.0 kB"],
  });
});

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1000, "1.0 kB"],
  [999_949, "999.9 kB"],
  [999_950, "1.0 MB"],
  [209_715_200, "209.7 MB"],
  [5e15, "5000.0 TB"],
])("%i bytes are %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test("replaces characters that control the terminal, and keeps line breaks", () => {
  expect(harmless("a\u001b[31mb\u009bc\u202ed\r\ne")).toBe(
    "a\u{FFFD}[31mb\u{FFFD}c\u{FFFD}d\u{FFFD}\ne",
  );
});
