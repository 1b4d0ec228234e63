import { clearLine, cursorTo } from "node:readline";
import type { WriteStream } from "node:tty";
import { SingleBar } from "cli-progress";
import { formatBytes } from "./format.ts";
import { harmless, type Output } from "./output.ts";

/** The progress of several files. */
export interface Progress {
  /** Sets a file's finished bytes; they return to 0 when it starts again. */
  update(file: string, doneBytes: number): void;
  /** Prints a line above the bar. */
  say(line: string): void;
  /** Ends the bar; call it before any other output. */
  stop(): void;
}

/**
 * Shows a bar on stderr if that is a terminal, otherwise a line for each finished file.
 * @param verb such as `Sent`
 * @param sizes the bytes of each file
 */
export function showProgress(
  verb: string,
  sizes: ReadonlyMap<string, number>,
  output: Output,
  stream: WriteStream = process.stderr,
): Progress {
  return stream.isTTY ? drawBar(verb, sizes, output, stream) : printLines(verb, sizes, output);
}

/** The progress of work of which only the bytes are known. */
export interface TotalProgress {
  /** Shows it from then on. */
  readonly begin: (bytes: number) => void;
  readonly add: (bytes: number) => void;
  /** Ends it; call it before any other output. Does nothing before `begin`. */
  readonly stop: () => void;
}

/** Shows a bar with the time left on stderr if that is a terminal, otherwise a line for each tenth. */
export function showTotal(
  verb: string,
  output: Output,
  stream: WriteStream = process.stderr,
): TotalProgress {
  let [total, done, tenth] = [0, 0, 0];
  let bar: SingleBar | undefined;
  const words = () => ({ bytes: `${formatBytes(done)} of ${formatBytes(total)}` });
  return {
    begin: (bytes) => {
      total = bytes;
      if (stream.isTTY)
        bar = barOf(`${verb} {bar} {percentage} %  {bytes}  {eta_formatted} left`, stream);
      bar?.start(total, 0, words());
    },
    add: (bytes) => {
      done += bytes;
      bar?.update(done, words());
      const before = tenth;
      tenth = Math.floor((done / total) * 10);
      if (bar === undefined && tenth > before) output.say(`${verb} ${words().bytes}`);
    },
    stop: () => bar?.stop(),
  };
}

function barOf(format: string, stream: WriteStream): SingleBar {
  return new SingleBar({
    format,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 30,
    hideCursor: true,
    linewrap: false,
    gracefulExit: false,
    stream,
  });
}

function printLines(verb: string, sizes: ReadonlyMap<string, number>, output: Output): Progress {
  const finished = new Set<string>();
  return {
    update: (file, doneBytes) => {
      const size = sizes.get(file) ?? 0;
      if (doneBytes < size || finished.has(file)) return;
      finished.add(file);
      const count = sizes.size > 1 ? ` ${finished.size} of ${sizes.size}:` : "";
      output.say(`${verb}${count} ${file} (${formatBytes(size)})`);
    },
    say: (line) => output.say(line),
    stop: () => {},
  };
}

function drawBar(
  verb: string,
  sizes: ReadonlyMap<string, number>,
  output: Output,
  stream: WriteStream,
): Progress {
  const done = new Map<string, number>();
  const total = sumOf(sizes.values());
  const bar = barOf(`${verb} {bar} {percentage} %  {bytes}  {files}`, stream);
  const words = () => {
    const finished = [...done].filter(([file, bytes]) => bytes >= (sizes.get(file) ?? 0)).length;
    return {
      bytes: `${formatBytes(sumOf(done.values()))} of ${formatBytes(total)}`,
      files:
        sizes.size > 1
          ? `${finished} of ${sizes.size} sounds`
          : harmless([...sizes.keys()].join("")),
    };
  };
  bar.start(total, 0, words());
  return {
    update: (file, doneBytes) => {
      done.set(file, doneBytes);
      bar.update(sumOf(done.values()), words());
    },
    say: (line) => {
      clearLine(stream, 0);
      cursorTo(stream, 0);
      output.say(line);
    },
    stop: () => bar.stop(),
  };
}

function sumOf(numbers: Iterable<number>): number {
  return [...numbers].reduce((sum, number) => sum + number, 0);
}
