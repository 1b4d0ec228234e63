import { EventEmitter, once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  databasePathIn,
  hasDatabase,
  openForWriting,
} from "../../relay/storage/sqlite/open-database.ts";
import { openWriter, type Writer } from "../../relay/storage/sqlite/writer.ts";
import type { StartWriter, WriterThread } from "../../relay/storage/sqlite/write-queue.ts";
import type { WriterData, WriterOrder, WriteRequest } from "../../relay/storage/sqlite/writes.ts";

/**
 * Starts the database's writer in the test's own thread, which takes a tenth of the time. Messages are copied and
 * arrive later, as between threads; what arrives during one turn of the event loop forms a group. While it waits for a
 * lock, nothing else in the process moves: a test that holds a lock itself needs the thread.
 */
export const startWriterInside: StartWriter = async (data) => {
  copyEmptyDatabase(data.folder);
  const writer = new WriterInside(data);
  await once(writer, "message");
  return writer;
};

let emptyDatabase: Uint8Array | undefined;

/** To copy a database without rows takes less than to make its tables. */
function copyEmptyDatabase(folder: string): void {
  if (hasDatabase(folder)) return;
  emptyDatabase ??= makeEmptyDatabase();
  writeFileSync(databasePathIn(folder), emptyDatabase, { mode: 0o600 });
}

function makeEmptyDatabase(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "soundferry-empty-"));
  try {
    openForWriting(folder).close();
    return readFileSync(databasePathIn(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

class WriterInside extends EventEmitter implements WriterThread {
  #writer: Writer | undefined;
  #arrived: (WriteRequest | WriterOrder)[] = [];
  #hasEnded = false;

  constructor(data: WriterData) {
    super();
    setImmediate(() => this.#run(() => (this.#writer = openWriter(data, this.#send))));
  }

  postMessage(message: WriteRequest | WriterOrder): void {
    this.#arrived.push(structuredClone(message));
    if (this.#arrived.length === 1) setImmediate(() => this.#run(() => this.#work()));
  }

  terminate(): void {
    this.#writer?.abandon();
    this.#end();
  }

  readonly #send = (message: unknown) => {
    const copy: unknown = structuredClone(message);
    setImmediate(() => this.emit("message", copy));
  };

  #work(): void {
    const arrived = this.#arrived;
    this.#arrived = [];
    const group: WriteRequest[] = [];
    for (const message of arrived) {
      if (typeof message === "object") {
        group.push(message);
        continue;
      }
      this.#write(group.splice(0));
      this.#writer?.obey(message);
      if (message === "close") this.#end();
    }
    this.#write(group);
  }

  #write(group: readonly WriteRequest[]): void {
    if (group.length > 0) this.#writer?.write(group);
  }

  #run(work: () => void): void {
    if (this.#hasEnded) return;
    try {
      work();
    } catch (error) {
      this.#writer?.abandon();
      // After the replies that it has sent.
      setImmediate(() => {
        this.emit("error", copyError(error));
        this.emit("exit");
      });
      this.#hasEnded = true;
    }
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    setImmediate(() => this.emit("exit"));
  }
}

/** Copies an error as it arrives from a thread that it ends: its class is lost, its name stays. */
function copyError(error: unknown): unknown {
  const copy: unknown = structuredClone(error);
  if (copy instanceof Error && error instanceof Error) copy.name = error.name;
  return copy;
}
