import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { urlOf } from "../bench/processes/url-of.ts";

interface StoredObject {
  readonly body: Buffer;
  readonly meta: Readonly<Record<string, string>>;
}

type Reply = readonly [status: number, body?: string | Buffer, headers?: Record<string, string>];

const MISSING: Reply = [404, "<Error><Code>NoSuchKey</Code></Error>"];

/**
 * An S3 service in memory, as far as a relay needs one for small sounds. It can be away, or take calls and never answer,
 * which no real one does on request. What S3 promises is tested on a real one (`test/engines/`).
 */
export class TinyS3 implements AsyncDisposable {
  /** `away` ends every connection; `silent` answers nothing. */
  state: "well" | "away" | "silent" = "well";
  readonly objects = new Map<string, StoredObject>();
  readonly url: string;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = urlOf(server);
    server.on("request", (request: IncomingMessage, answer: ServerResponse) => {
      this.#serve(request, answer).catch(() => answer.destroy());
    });
  }

  static async start(): Promise<TinyS3> {
    const server = createServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
    return new TinyS3(server);
  }

  /** The options of a sound store on it. */
  get address() {
    const { url: endpoint } = this;
    return { bucket: "b", endpoint, region: "r", accessKeyId: "k", secretAccessKey: "s" };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    if (this.state === "away") return void request.socket.destroy();
    const body = await buffer(request);
    if (this.state === "silent") return;
    const [status, reply = "", headers = {}] = this.#reply(request, body);
    const length = request.method === "HEAD" ? {} : { "content-length": Buffer.byteLength(reply) };
    answer.writeHead(status, { ...length, ...headers });
    answer.end(request.method === "HEAD" ? undefined : reply);
  }

  #reply({ method, url = "", headers }: IncomingMessage, body: Buffer): Reply {
    const { pathname, searchParams } = new URL(url, this.url);
    const name = decodeURIComponent(pathname.split("/").slice(2).join("/"));
    if (searchParams.has("uploads")) return [200, "<ListMultipartUploadsResult/>"];
    if (searchParams.has("list-type")) return [200, this.#list(searchParams.get("prefix") ?? "")];
    if (searchParams.has("delete")) {
      for (const [, key = ""] of body.toString().matchAll(/<Key>(.*?)<\/Key>/g)) {
        this.objects.delete(key);
      }
      return [200, "<DeleteResult/>"];
    }
    if (method === "PUT") return this.#put(name, body, headers);
    if (method === "DELETE") {
      this.objects.delete(name);
      return [204];
    }
    const found = this.objects.get(name);
    if (found === undefined) return MISSING;
    const [, from = "0", to = String(found.body.length - 1)] =
      /bytes=(\d+)-(\d+)/.exec(headers.range ?? "") ?? [];
    const part = found.body.subarray(Number(from), Number(to) + 1);
    const size = { "content-length": String(part.length) };
    return [headers.range === undefined ? 200 : 206, part, { ...found.meta, ...size }];
  }

  #put(name: string, body: Buffer, headers: IncomingMessage["headers"]): Reply {
    const source = headers["x-amz-copy-source"];
    if (typeof source === "string") {
      const copied = this.objects.get(decodeURIComponent(source).split("/").slice(1).join("/"));
      if (copied === undefined) return MISSING;
      this.objects.set(name, copied);
      return [200, "<CopyObjectResult/>"];
    }
    const announced = String(headers["x-amz-content-sha256"]);
    const isWrong = announced !== createHash("sha256").update(body).digest("hex");
    if (/^[0-9a-f]{64}$/.test(announced) && isWrong) {
      return [400, "<Error><Code>XAmzContentSHA256Mismatch</Code></Error>"];
    }
    const named = Object.entries(headers).filter(([key]) => key.startsWith("x-amz-meta-"));
    const meta = Object.fromEntries(named.map(([key, value]) => [key, String(value)]));
    this.objects.set(name, { body, meta });
    return [200];
  }

  #list(prefix: string): string {
    const listed = [...this.objects].filter(([key]) => key.startsWith(prefix));
    const sorted = listed.toSorted(([one], [other]) => (one < other ? -1 : 1));
    const contents = sorted.map(
      ([key, { body }]) =>
        `<Contents><Key>${key}</Key><Size>${body.length}</Size>` +
        "<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>",
    );
    return `<ListBucketResult>${contents.join("")}</ListBucketResult>`;
  }
}
