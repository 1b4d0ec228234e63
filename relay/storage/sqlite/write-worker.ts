import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { changeFinder } from "./change-finder.ts";
import { groupCommitter } from "./commit-group.ts";
import { openForWriting } from "./open-database.ts";
import { allWrites, type WriteRequest, type WriterMessage } from "./writes.ts";

// Owns the database's writes. What arrives during one commit forms the next group.

/** Another process's change is noticed within a second (rule J7), so it looks twice as often. */
const LOOK_EVERY_MS = 500;

const port = parentPort;
if (port === null) throw new Error("This file runs as a worker thread.");
const database = openForWriting(String(workerData));
const send = (message: WriterMessage) => port.postMessage(message);

// On this connection, because on the reading one the writer's own commits would count too.
const findChange = changeFinder(database, () => send("changed"));
let lookedAt = performance.now();
function lookIfDue(): void {
  if (performance.now() - lookedAt < LOOK_EVERY_MS) return;
  lookedAt = performance.now();
  findChange();
}
// Under load, or while it waits for a lock, the thread doesn't get to its timers. So it also looks in between.
const looking = setInterval(lookIfDue, LOOK_EVERY_MS / 2);
looking.unref();
const commitGroup = groupCommitter(database, allWrites(database), lookIfDue);

port.on("message", (first: WriteRequest | "close") => {
  const group: WriteRequest[] = [];
  let message: WriteRequest | "close" | undefined = first;
  while (message !== undefined && message !== "close") {
    group.push(message);
    message = receiveMessageOnPort(port)?.message;
  }
  lookIfDue();
  if (group.length > 0) send(commitGroup(group));
  lookIfDue();
  if (message === "close") {
    clearInterval(looking);
    database.close();
    port.close();
  }
});
send("ready");
