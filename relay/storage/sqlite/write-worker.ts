import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { openForWriting } from "./open-database.ts";
import { allWrites, type WriteReply, type WriteRequest } from "./writes.ts";

// The thread that owns the database's writes. All requests that have come are done in one transaction,
// so that one flush to the disk serves them all; each has a savepoint, so that one that fails harms no other.

const port = parentPort;
if (port === null) throw new Error("This file runs as a worker thread.");
const database = openForWriting(String(workerData));
const writes = allWrites(database);

const [begin, commit, rollback, mark, unmark, undo] = [
  "BEGIN IMMEDIATE",
  "COMMIT",
  "ROLLBACK",
  "SAVEPOINT one",
  "RELEASE one",
  "ROLLBACK TO one",
].map((sql) => database.prepare(sql));

function doOne({ id, name, argument }: WriteRequest): WriteReply {
  mark?.run();
  try {
    // The name chooses the function and the sender's types tie the argument to the name.
    const result: unknown = Reflect.apply(writes[name], undefined, [argument]);
    unmark?.run();
    return { id, result };
  } catch (error) {
    undo?.run();
    unmark?.run();
    return { id, error };
  }
}

function doGroup(requests: readonly WriteRequest[]): WriteReply[] {
  try {
    begin?.run();
    const replies = requests.map(doOne);
    commit?.run();
    return replies;
  } catch (error) {
    if (database.isTransaction) rollback?.run();
    return requests.map(({ id }) => ({ id, error }));
  }
}

port.on("message", (first: WriteRequest) => {
  const requests = [first];
  for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port)) {
    const request: WriteRequest = more.message;
    requests.push(request);
  }
  port.postMessage(doGroup(requests));
});
port.on("close", () => database.close());
port.postMessage("ready");
