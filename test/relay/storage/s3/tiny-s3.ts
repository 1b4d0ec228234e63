import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** The ways of services with the SHA-256 of an object: kept, ignored, refused, or kept as one of parts. */
export type ChecksumHabit = "keeps" | "ignores" | "refuses" | "composes";

interface StoredObject {
  body: Buffer;
  readonly checksum: string | undefined;
}

/** A service that stores objects of one call, until the test ends. It looks at no signature. */
export async function tinyS3(habit: ChecksumHabit) {
  const objects = new Map<string, StoredObject>();
  const calls: string[] = [];
  const server = createServer((request, answer) => {
    void (async () => {
      const url = new URL(request.url ?? "/", "http://s3");
      const name = decodeURIComponent(url.pathname).split("/").slice(2).join("/");
      calls.push(`${request.method} ${name}`);
      const body = await buffer(request);
      const [status, headers, text] = answerTo(objects, habit, {
        method: request.method ?? "",
        name,
        prefix: url.searchParams.get("prefix") ?? "",
        headers: request.headers,
        body,
      });
      answer.writeHead(status, headers).end(request.method === "HEAD" ? undefined : text);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => server.close().closeAllConnections());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("It listens on a port.");
  return { endpoint: `http://127.0.0.1:${address.port}`, objects, calls };
}

interface TinyCall {
  readonly method: string;
  readonly name: string;
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

type TinyAnswer = readonly [
  status: number,
  headers: Record<string, string | number>,
  text: string | Buffer,
];

function answerTo(
  objects: Map<string, StoredObject>,
  habit: ChecksumHabit,
  { method, name, prefix, headers, body }: TinyCall,
): TinyAnswer {
  const checksum = headers["x-amz-checksum-sha256"]?.toString();
  if (method === "PUT") {
    if (checksum !== undefined && habit === "refuses") {
      return [501, {}, "<Error><Code>NotImplemented</Code></Error>"];
    }
    objects.set(name, { body, checksum: habit === "ignores" ? undefined : checksum });
    return [200, { etag: '"1"' }, ""];
  }
  if (method === "DELETE") objects.delete(name);
  if (method === "DELETE") return [204, {}, ""];
  if (name === "") {
    const names = [...objects.keys()].filter((one) => one.startsWith(prefix)).toSorted();
    const listed = names.map(
      (one) =>
        `<Contents><Key>${one}</Key><Size>${objects.get(one)?.body.length}</Size></Contents>`,
    );
    const text = `<ListBucketResult><IsTruncated>false</IsTruncated>${listed.join("")}</ListBucketResult>`;
    return [200, { "content-type": "application/xml" }, text];
  }
  const found = objects.get(name);
  if (found === undefined) return [404, {}, "<Error><Code>NoSuchKey</Code></Error>"];
  const isAsked = headers["x-amz-checksum-mode"] === "ENABLED" && found.checksum !== undefined;
  const suffix = habit === "composes" ? "-2" : "";
  return [
    200,
    {
      "content-length": found.body.length,
      ...(isAsked && { "x-amz-checksum-sha256": `${found.checksum}${suffix}` }),
    },
    found.body,
  ];
}
