import { once } from "node:events";
import { createHash } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { answerCalls } from "./answer-calls.ts";
import { urlOf } from "./url-of.ts";

/** A minimal durable upload: receive, hash, write, flush the file and its folder. */
async function receive(request: IncomingMessage, folder: string, path: string): Promise<string> {
  const digest = createHash("sha256");
  const file = await open(path, "wx");
  for await (const piece of request as AsyncIterable<Buffer>) {
    digest.update(piece);
    await file.write(piece);
  }
  await file.sync();
  await file.close();
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
  return digest.digest("hex");
}

export const bareUploadCalls = {
  start: async ({ folder }: { readonly folder: string }) => {
    let count = 0;
    const server = createServer((request, answer) => {
      count += 1;
      const path = join(folder, `${count}.wav`);
      receive(request, folder, path).then(
        (sha256) => {
          answer.end(JSON.stringify({ sha256 }));
          return unlink(path);
        },
        (error: unknown) => answer.writeHead(500).end(String(error)),
      );
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    return { url: urlOf(server) };
  },
};
export type BareUploadCalls = typeof bareUploadCalls;

answerCalls(bareUploadCalls);
