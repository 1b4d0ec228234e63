import { createConnection } from "node:net";

/**
 * Sends raw bytes on a new connection, each text after an answer to the previous one, and returns everything
 * received until the relay closes it.
 */
export function rawCall(url: string, ...texts: readonly string[]): Promise<string> {
  const { port, hostname } = new URL(url);
  const unsent = texts.values();
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = createConnection(Number(port), hostname);
    const sendNext = () => socket.write(unsent.next().value ?? "");
    socket.on("connect", sendNext);
    socket.on("data", (piece) => {
      answer += String(piece);
      sendNext();
    });
    socket.on("close", () => resolve(answer)).on("error", reject);
  });
}
