import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { releaseBallast } from "./ballast.ts";
import { DatabaseGuard } from "./database-guard.ts";
import { changeFinder } from "./change-finder.ts";
import { forgetOldRemovals, removalsAppender } from "./append-removals.ts";
import { groupCommitter } from "./commit-group.ts";
import { databasePathIn, openForWriting } from "./open-database.ts";
import {
  allWrites,
  type WriterData,
  type WriterMessage,
  type WriterOrder,
  type WriteRequest,
} from "./writes.ts";

// Owns the database's writes. What arrives during one commit forms the next group.

/** Another process's change is noticed within a second (rule J7), so it looks twice as often. */
const LOOK_EVERY_MS = 500;

if (parentPort === null) throw new Error("This file runs as a worker thread.");
const port = parentPort;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `startWriter` is the only one to start it
const { folder, busyTimeoutMs } = workerData as WriterData;
const database = openForWriting(folder, busyTimeoutMs);
const send = (message: WriterMessage) => port.postMessage(message);

// On this connection, because on the reading one the writer's own commits would count too.
const findChange = changeFinder(database, () => send("changed"));
let lookedAt = performance.now();
function lookIfDue(): void {
  if (performance.now() - lookedAt < LOOK_EVERY_MS) return;
  lookedAt = performance.now();
  findChange();
  guard.look();
}
// Under load, or while it waits for a lock, the thread doesn't get to its timers. So it also looks in between.
const looking = setInterval(lookIfDue, LOOK_EVERY_MS / 2);
looking.unref();
// Noted first, so that the relay knows before it answers.
const releaseNoted = () => {
  send("full");
  return releaseBallast(folder);
};
const appendRemovals = removalsAppender(database, folder, releaseNoted);
const commitGroup = groupCommitter(database, allWrites(database), {
  whileWaiting: lookIfDue,
  beforeAnswers: () => {
    appendRemovals();
    guard.look();
  },
  explain: (error) => lossOr(error),
  makeRoom: releaseNoted,
});
// Last, because it doesn't wait for a lock now: what it can't do is tried again after the next group.
const guard = new DatabaseGuard(database, databasePathIn(folder));
const troubles = [appendRemovals, () => forgetOldRemovals(database, folder)].flatMap(troubleOf);

/** What a look finds, as it may be why SQLite failed. */
function lossOr(error: unknown): unknown {
  try {
    guard.look();
    return error;
  } catch (loss) {
    return loss;
  }
}

/** @throws {StoreLostError} after the answers; the thread ends and doesn't close the database */
function answer(group: readonly WriteRequest[]): void {
  const replies = commitGroup(group);
  send(replies);
  const lost = replies.find((reply) => "trouble" in reply && reply.trouble === "lost");
  if (lost !== undefined && "error" in lost) throw lost.error;
  guard.mergeIfDue();
}

/** What fails here is tried again: with the next group, or at the next start. */
function troubleOf(tidy: () => void): readonly Error[] {
  try {
    tidy();
    return [];
  } catch (error) {
    return [error instanceof Error ? error : new Error(String(error))];
  }
}

function obey(order: WriterOrder): void {
  if (order === "finish") {
    guard.look();
    send("finished");
    return;
  }
  clearInterval(looking);
  database.close();
  guard[Symbol.dispose]();
  port.close();
}

port.on("message", (first: WriteRequest | WriterOrder) => {
  const group: WriteRequest[] = [];
  let message: WriteRequest | WriterOrder | undefined = first;
  while (typeof message === "object") {
    group.push(message);
    message = receiveMessageOnPort(port)?.message;
  }
  lookIfDue();
  if (group.length > 0) answer(group);
  lookIfDue();
  if (message !== undefined) obey(message);
});
send("ready");
for (const trouble of troubles) send(trouble);
