import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { groupCommitter } from "./commit-group.ts";
import { openForWriting } from "./open-database.ts";
import { allWrites, type WriteRequest, type WriterMessage } from "./writes.ts";

// Owns the database's writes. What arrives during one commit forms the next group.

/** Another process's change is noticed within a second (rule J7), so it looks twice as often. */
const LOOK_EVERY_MS = 500;

const port = parentPort;
if (port === null) throw new Error("This file runs as a worker thread.");
const database = openForWriting(String(workerData));
const commitGroup = groupCommitter(database, allWrites(database));
const send = (message: WriterMessage) => port.postMessage(message);

// Changes with every commit of another connection. The reading one would also count the writer's.
const dataVersion = database.prepare("PRAGMA data_version");
const look = () => dataVersion.get()?.["data_version"];
let seen = look();
const looking = setInterval(() => {
  const current = look();
  if (current === seen) return;
  seen = current;
  send("changed");
}, LOOK_EVERY_MS);
looking.unref();

port.on("message", (first: WriteRequest | "close") => {
  const group: WriteRequest[] = [];
  let message: WriteRequest | "close" | undefined = first;
  while (message !== undefined && message !== "close") {
    group.push(message);
    message = receiveMessageOnPort(port)?.message;
  }
  if (group.length > 0) send(commitGroup(group));
  if (message === "close") {
    clearInterval(looking);
    database.close();
    port.close();
  }
});
send("ready");
