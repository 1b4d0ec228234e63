import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { groupCommitter } from "./commit-group.ts";
import { openForWriting } from "./open-database.ts";
import { allWrites, type WriteRequest } from "./writes.ts";

// Owns the database's writes. What arrives during one commit forms the next group.

const port = parentPort;
if (port === null) throw new Error("This file runs as a worker thread.");
const database = openForWriting(String(workerData));
const commitGroup = groupCommitter(database, allWrites(database));

port.on("message", (first: WriteRequest | "close") => {
  const group: WriteRequest[] = [];
  let message: WriteRequest | "close" | undefined = first;
  while (message !== undefined && message !== "close") {
    group.push(message);
    message = receiveMessageOnPort(port)?.message;
  }
  if (group.length > 0) port.postMessage(commitGroup(group));
  if (message === "close") {
    database.close();
    port.close();
  }
});
port.postMessage("ready");
