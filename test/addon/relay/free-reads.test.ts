import { once } from "node:events";
import { Agent, createServer, get, IncomingMessage } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { freeReads } from "../../../addon/relay/free-reads.ts";

const BODY = Buffer.alloc(2_000_000).map((_, index) => index % 251);

test("[I7] what a connection reads is freed once it is in the answer's pieces, also on the next call", async () => {
  const server = createServer((_, response) => response.end(BODY)).listen(0, "127.0.0.1");
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
    server.close();
  });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sockets = new Set<Socket>();
  for (let call = 0; call < 2; call += 1) {
    const [answer] = (await once(get({ port, agent }), "response")) as [IncomingMessage];
    const { socket } = answer;
    sockets.add(socket);
    const reads: Uint8Array[] = [];
    const note = (read: Uint8Array) => void reads.push(read);
    socket.on("data", note);
    freeReads(answer);
    const pieces: Uint8Array[] = [];
    for await (const piece of answer) pieces.push(piece);
    socket.off("data", note);
    expect(Buffer.concat(pieces).equals(BODY)).toBe(true);
    const kept = reads.filter(({ byteLength }) => byteLength > 0);
    // Node sometimes cuts a read from a larger block, which may not be its alone.
    expect(kept.filter(({ byteLength, buffer }) => byteLength === buffer.byteLength)).toEqual([]);
    expect(kept.length).toBeLessThan(reads.length / 2);
    // Node releases the connection after it has emitted the answer's end.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(sockets.size).toBe(1);
  expect([...sockets].map((socket) => socket.listenerCount("data"))).toEqual([0]);
});

test("[I7] a read that shares its memory with a piece stays, and one that gave no piece", () => {
  const answer = new IncomingMessage(new Socket());
  freeReads(answer);
  const shared = new Uint8Array(100).fill(1);
  answer.push(shared.subarray(10));
  answer.socket.emit("data", shared);
  const other = new Uint8Array(100).fill(2);
  answer.socket.emit("data", other);
  expect(answer.read()).toEqual(Buffer.alloc(90, 1));
  expect(other).toHaveLength(100);
});
