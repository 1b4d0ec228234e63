import {
  closeSync,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { type FileHandle, lstat, open, readdir, realpath } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Eventual } from "../../core/eventual.ts";

/** An open file, as a `FileHandle` is one. */
export interface ReadableFile {
  stat(): Eventual<Stats>;
  read(
    memory: Uint8Array,
    start: number,
    length: number,
    at: number,
  ): Eventual<{ readonly bytesRead: number }>;
  close(): Eventual<void>;
}

/** The calls that find packages and read their small files. */
export interface DiskCalls<File extends ReadableFile = ReadableFile> {
  open(path: string, flags: number): Eventual<File>;
  lstat(path: string): Eventual<Stats>;
  realpath(path: string): Eventual<string>;
  /** Lists a folder with the type of each entry. */
  list(folder: string): Eventual<readonly Dirent[]>;
}

/** The calls of Node's thread pool, which hold up nothing. */
export const POOLED_CALLS: DiskCalls<FileHandle> = {
  open: (path, flags) => open(path, flags),
  lstat: (path) => lstat(path),
  realpath: (path) => realpath(path),
  list: (folder) => readdir(folder, { withFileTypes: true }),
};

/** Longest time for which other work waits. */
const TURN_MS = 10;
/** Calls that take longer on average wait for a disk or a network. */
const SLOW_MS = 0.3;
/** The most that one call counts: a busy processor also makes some late. */
const MOST_MS = 3;
/** The number of calls in the average. */
const AVERAGED = 16;
/** Calls through the pool before the disk is tried again. */
const POOLED = 256;

/**
 * Calls the system directly, which takes a tenth of the processor time that the thread pool takes for a small file. Lets
 * other work in every few milliseconds. Where calls have to wait for the disk, the next ones go through the pool, several
 * at a time.
 */
export class QuickDisk implements DiskCalls {
  readonly #clock: () => number;
  readonly #pooled: DiskCalls;
  #pooledCalls = 0;
  #averageMs = 0;
  #turnBegan = Number.NEGATIVE_INFINITY;
  #turn: Promise<void> | undefined;

  constructor(clock = () => performance.now(), pooled: DiskCalls = POOLED_CALLS) {
    this.#clock = clock;
    this.#pooled = pooled;
  }

  open(path: string, flags: number): Eventual<ReadableFile> {
    const opened = () => new QuickFile(openSync(path, flags), (call) => this.#timed(call));
    return this.#call(opened, () => this.#pooled.open(path, flags));
  }

  lstat(path: string): Eventual<Stats> {
    return this.#call(
      () => lstatSync(path),
      () => this.#pooled.lstat(path),
    );
  }

  realpath(path: string): Eventual<string> {
    return this.#call(
      () => realpathSync.native(path),
      () => this.#pooled.realpath(path),
    );
  }

  list(folder: string): Eventual<readonly Dirent[]> {
    return this.#call(
      () => readdirSync(folder, { withFileTypes: true }),
      () => this.#pooled.list(folder),
    );
  }

  #call<Answer>(now: () => Answer, later: () => Eventual<Answer>): Eventual<Answer> {
    if (this.#pooledCalls > 0) {
      this.#pooledCalls -= 1;
      return later();
    }
    if (this.#clock() - this.#turnBegan <= TURN_MS) return this.#timed(now);
    this.#turn ??= nextTurn().then(() => {
      this.#turn = undefined;
      this.#turnBegan = this.#clock();
    });
    return this.#turn.then(() => this.#call(now, later));
  }

  #timed<Answer>(call: () => Answer): Answer {
    const began = this.#clock();
    try {
      return call();
    } finally {
      const ms = Math.min(this.#clock() - began, MOST_MS);
      this.#averageMs += (ms - this.#averageMs) / AVERAGED;
      if (this.#averageMs > SLOW_MS) {
        this.#averageMs = 0;
        this.#pooledCalls = POOLED;
      }
    }
  }
}

/** A file whose calls answer at once. */
class QuickFile implements ReadableFile {
  readonly #file: number;
  readonly #timed: <Answer>(call: () => Answer) => Answer;

  constructor(file: number, timed: <Answer>(call: () => Answer) => Answer) {
    this.#file = file;
    this.#timed = timed;
  }

  stat(): Stats {
    return fstatSync(this.#file);
  }

  read(memory: Uint8Array, start: number, length: number, at: number) {
    return { bytesRead: this.#timed(() => readSync(this.#file, memory, start, length, at)) };
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Reads the disk of this computer for a program that does little else at that time. */
export const QUICK_DISK: DiskCalls = new QuickDisk();
