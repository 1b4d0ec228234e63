import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { expect, test } from "vitest";
import { BatchWriter, type WritableFile, WriteBudget } from "../../program/batch-writer.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

/** A file whose disk the test stalls, and that records its calls. */
class StalledFile implements WritableFile {
  readonly writtenPieces: number[] = [];
  readonly positions: number[] = [];
  readonly asked: string[] = [];
  readonly waiting: (() => void)[] = [];
  writing = 0;
  mostAtOnce = 0;
  /** The most bytes that one `writev` accepts. */
  takes = Number.POSITIVE_INFINITY;
  readonly #written: Uint8Array[] = [];
  isHeld = false;
  syncTrouble: Error | undefined;

  get bytes(): Buffer {
    return Buffer.concat(this.#written);
  }

  async writev(pieces: readonly Uint8Array[], at: number): Promise<{ bytesWritten: number }> {
    this.positions.push(at);
    this.writing += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.writing);
    this.writtenPieces.push(pieces.length);
    await this.#turn();
    const all = Buffer.concat(pieces);
    const bytesWritten = Math.min(all.length, this.takes);
    this.#written.push(all.subarray(0, bytesWritten));
    this.writing -= 1;
    return { bytesWritten };
  }

  async datasync(): Promise<void> {
    this.asked.push("datasync");
    await this.#turn();
    if (this.syncTrouble !== undefined) throw this.syncTrouble;
  }

  async sync(): Promise<void> {
    this.asked.push("sync");
  }

  release(): void {
    this.isHeld = false;
    for (const go of this.waiting.splice(0)) go();
  }

  #turn(): Promise<void> {
    if (!this.isHeld) return Promise.resolve();
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

test("a disk that takes less than it was given gets the rest, in order, one write at a time", async () => {
  const file = new StalledFile();
  file.takes = 7;
  const writer = new BatchWriter(file, new WriteBudget());
  const pieces = Array.from({ length: 60 }, (_, index) => Buffer.alloc(index % 5, index));
  for (const piece of pieces) await writer.write(Buffer.from(piece));
  await writer.finish();
  expect(file.bytes.equals(Buffer.concat(pieces))).toBe(true);
  expect(file.mostAtOnce).toBe(1);
  expect(file.asked).toEqual(["sync"]);
});

test("a file that has bytes already is continued after them", async () => {
  const file = new StalledFile();
  file.takes = 600;
  const writer = new BatchWriter(file, new WriteBudget(), 5000);
  expect(writer.writtenBytes).toBe(5000);
  await writer.write(Buffer.alloc(1000));
  await writer.finish();
  expect(file.positions).toEqual([5000, 5600]);
  expect(writer.writtenBytes).toBe(6000);
});

test("a sender that ignores backpressure does not reorder anything", async () => {
  const file = new StalledFile();
  file.isHeld = true;
  const writer = new BatchWriter(file, new WriteBudget());
  const pieces = Array.from({ length: 8 }, (_, index) => Buffer.alloc(MIB, index));
  const room = pieces.map((piece) => writer.write(Buffer.from(piece)));
  file.release();
  for (const full of room) await full;
  await writer.finish();
  expect(file.mostAtOnce).toBe(1);
  expect(file.bytes.equals(Buffer.concat(pieces))).toBe(true);
});

test("tiny pieces do not pile up: one write has no more of them than the system accepts at once", async () => {
  const file = new StalledFile();
  const writer = new BatchWriter(file, new WriteBudget());
  const piece = Buffer.alloc(1);
  for (let count = 0; count < 5000; count += 1) await writer.write(Buffer.from(piece));
  await writer.finish();
  expect(file.bytes.length).toBe(5000);
  expect(Math.max(...file.writtenPieces)).toBeLessThanOrEqual(1024);
});

test.each([1, 32, 64, 512])(
  "[U1] %i uploads on a stalled disk hold 64 MiB in all and then wait",
  async (count) => {
    const budget = new WriteBudget();
    const leave = Array.from({ length: count }, () => budget.enter());
    const piece = Buffer.alloc(16 * KIB);
    let bufferedBytes = 0;
    const stopped: Promise<void>[] = [];
    const files = Array.from({ length: count }, () => new StalledFile());
    for (const file of files) {
      file.isHeld = true;
      const writer = new BatchWriter(file, budget);
      let room: Promise<void> | undefined;
      while (room === undefined) {
        room = writer.write(Buffer.from(piece));
        bufferedBytes += piece.byteLength;
      }
      stopped.push(room);
    }
    expect(bufferedBytes).toBeLessThanOrEqual(64 * MIB);
    for (const file of files) file.release();
    await Promise.all(stopped);
    for (const go of leave) go();
  },
);

test("a long upload is flushed on its way, so that its last flush is short", async () => {
  const file = new StalledFile();
  const writer = new BatchWriter(file, new WriteBudget());
  for (let count = 0; count < 32; count += 1) await writer.write(Buffer.alloc(MIB));
  await writer.finish();
  expect(file.asked.filter((what) => what === "datasync").length).toBeGreaterThanOrEqual(3);
  expect(file.asked.at(-1)).toBe("sync");
});

test("[U7] a failed flush during the upload fails it", async () => {
  const file = new StalledFile();
  file.syncTrouble = new Error("EIO");
  const writer = new BatchWriter(file, new WriteBudget());
  for (let count = 0; count < 9; count += 1) await writer.write(Buffer.alloc(MIB));
  await expect(writer.finish()).rejects.toBe(file.syncTrouble);
  expect(file.asked).not.toContain("sync");
});

test("settling waits for a running flush and for a queued write", async () => {
  const file = new StalledFile();
  const writer = new BatchWriter(file, new WriteBudget());
  for (let count = 0; count < 7; count += 1) await writer.write(Buffer.alloc(MIB));
  await writer.settle();
  file.isHeld = true;
  void writer.write(Buffer.alloc(MIB));
  void writer.write(Buffer.alloc(MIB));
  const quiet = writer.settle();
  while (file.waiting.length > 0) {
    for (const go of file.waiting.splice(0)) go();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await quiet;
  expect(file.writing).toBe(0);
  expect(file.bytes.length).toBe(9 * MIB);
  expect(file.asked).toEqual(["datasync"]);
});

test.skipIf(!existsSync("/dev/full"))(
  "[U6] a full disk rejects the next write and the finish, and throws nothing elsewhere (needs /dev/full)",
  async () => {
    await using file = await open("/dev/full", "w");
    const writer = new BatchWriter(file, new WriteBudget());
    const full = { code: "ENOSPC" };
    expect(writer.write(Buffer.alloc(MIB))).toBeUndefined();
    await expect(writer.settle()).rejects.toMatchObject(full);
    await expect(writer.write(Buffer.alloc(1))).rejects.toMatchObject(full);
    await expect(writer.finish()).rejects.toMatchObject(full);
  },
);
