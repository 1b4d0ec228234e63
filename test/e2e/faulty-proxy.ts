import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What the proxy does with one download; undefined forwards it unchanged. */
export type ProxyFault =
  | { readonly cutAfter: number; readonly isWithoutRanges?: boolean }
  | {
      readonly status: number;
      readonly html: string;
      readonly isJson?: boolean;
      readonly retryAfterSeconds?: number;
    }
  /** Inverts the byte at this offset of the body. */
  | { readonly spoil: number }
  /** Accepts the request and never answers. */
  | "hang"
  | undefined;

/** An HTTP proxy before a relay that spoils downloads, and forwards everything else. */
export class FaultyProxy {
  /** The paths of all downloads, in order, with their range. */
  readonly downloads: { readonly path: string; readonly range: string | undefined }[] = [];
  /** What was sent as `Authorization`, and to which address. */
  readonly authorized: { readonly target: string; readonly value: string }[] = [];
  /** Called for each download, with its number among those of this path, from 1. */
  fault: (path: string, nth: number) => ProxyFault = () => undefined;
  #target: string;
  readonly #server = createServer((incoming, answer) => void this.#forward(incoming, answer));

  private constructor(target: string) {
    this.#target = target;
  }

  /** Closes it after the test. */
  static async start(target: string): Promise<FaultyProxy> {
    const proxy = await FaultyProxy.listen(target);
    onTestFinished(() => proxy.close());
    return proxy;
  }

  static async listen(target: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    await new Promise<void>((resolve) => {
      proxy.#server.listen(0, "127.0.0.1", resolve);
    });
    return proxy;
  }

  async close(): Promise<void> {
    this.dropConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }

  dropConnections(): void {
    this.#server.closeAllConnections();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Forwards to another relay from now on, such as one that was restarted. */
  aimAt(target: string): void {
    this.#target = target;
  }

  async #forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = "GET", url = "/", headers } = incoming;
    const { authorization: value } = headers;
    if (value !== undefined) this.authorized.push({ target: this.#target, value });
    const fault = url.includes("/files/") ? this.#noteDownload(url, headers.range) : undefined;
    if (fault === "hang") return;
    if (fault !== undefined && "status" in fault) {
      const { status, html, isJson = false, retryAfterSeconds: wait } = fault;
      const retry = wait === undefined ? {} : { "retry-after": String(wait) };
      answer
        .writeHead(status, {
          "content-type": isJson ? "application/json" : "text/html",
          ...retry,
        })
        .end(html);
      return;
    }
    const { range: _, ...unranged } = headers;
    const isWhole = fault !== undefined && "cutAfter" in fault && fault.isWithoutRanges === true;
    const onward = request(this.#target + url, { method, headers: isWhole ? unranged : headers });
    onward.on("error", () => answer.destroy());
    onward.on("response", (back) => {
      answer.writeHead(back.statusCode ?? 0, back.headers);
      back.on("error", () => answer.destroy());
      void this.#pass(back, answer, fault).catch(() => answer.destroy());
    });
    incoming.pipe(onward);
  }

  async #pass(
    back: IncomingMessage,
    answer: ServerResponse,
    fault: Exclude<ProxyFault, "hang" | { status: number }>,
  ): Promise<void> {
    let sent = 0;
    for await (const piece of back as AsyncIterable<Buffer>) {
      if (fault !== undefined && "cutAfter" in fault && sent + piece.length > fault.cutAfter) {
        const rest = piece.subarray(0, fault.cutAfter - sent);
        answer.write(rest, () => setImmediate(() => answer.destroy()));
        return;
      }
      if (fault !== undefined && "spoil" in fault) {
        const at = fault.spoil - sent;
        if (at >= 0 && at < piece.length) piece[at] = ~(piece[at] ?? 0) & 0xff;
      }
      sent += piece.length;
      answer.write(piece);
    }
    answer.end();
  }

  #noteDownload(path: string, range: string | undefined): ProxyFault {
    this.downloads.push({ path, range });
    return this.fault(path, this.downloads.filter((each) => each.path === path).length);
  }
}
