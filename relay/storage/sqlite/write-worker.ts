import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { openWriter } from "./writer.ts";
import type { WriterData, WriterOrder, WriteRequest } from "./writes.ts";

// The writer in a separate thread. Requests that arrive during one commit form the next group.

if (parentPort === null) throw new Error("This file runs as a worker thread.");
const port = parentPort;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `startWriterThread` is the only one to start it
const writer = openWriter(workerData as WriterData, (message) => port.postMessage(message));

port.on("message", (first: WriteRequest | WriterOrder) => {
  const group: WriteRequest[] = [];
  let message: WriteRequest | WriterOrder | undefined = first;
  while (typeof message === "object") {
    group.push(message);
    message = receiveMessageOnPort(port)?.message;
  }
  if (group.length > 0) writer.write(group);
  if (message === undefined) return;
  writer.obey(message);
  if (message === "close") port.close();
});
