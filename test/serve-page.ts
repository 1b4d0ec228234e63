import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Serves a page, or what a listener answers, until the test is over. Returns its address. */
export async function servePage(page: string | RequestListener): Promise<string> {
  const server = createServer((request, answer) => {
    if (typeof page !== "string") return page(request, answer);
    answer.setHeader("content-type", "text/html").end(page);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  // A listening TCP server always has an address of this kind.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
