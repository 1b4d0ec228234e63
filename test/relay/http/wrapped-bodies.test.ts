import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { manifestOf } from "../../manifest-of.ts";
import { smallWav } from "../../wav-bytes.ts";
import { FORM_TYPE, formOf, wide } from "../../wrapped-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { partHeaders } from "./partial-calls.ts";
import { rawCall } from "./raw-call.ts";

const WAV = Buffer.from(smallWav());
const FORM_SENTENCE = "This is a form upload: send the file's bytes as they are.";
const received = (encoding: string) =>
  `a.wav: received as ${encoding}. Send the file's bytes as they are.`;

let relay: RunningRelay;
beforeAll(async () => {
  relay = await RunningRelay.start();
  return () => relay[Symbol.asyncDispose]();
});

/** Announces a.wav with these bytes, of another size than they have unless `isExact`. */
async function announced(bytes: Uint8Array, isExact: boolean) {
  const { token } = await relay.paired();
  const files = { "a.wav": isExact ? bytes : WAV };
  const { package_id: id } = await relay.announce(token, manifestOf(files));
  return { id, token, path: `/packages/${id}/files/a.wav` };
}

test.for<[string, Uint8Array, Record<string, string>, string]>([
  ["a form", formOf(WAV), {}, FORM_SENTENCE],
  ["a form that is named", formOf(WAV), { "content-type": FORM_TYPE }, FORM_SENTENCE],
  ["gzip", gzipSync(WAV), { "content-encoding": "gzip" }, received("gzip")],
  ["gzip without its header", gzipSync(WAV), {}, received("gzip")],
  ["deflate", deflateSync(WAV), { "content-encoding": "deflate" }, received("deflate")],
  ["Brotli", brotliCompressSync(WAV), { "content-encoding": "br" }, received("Brotli")],
  ["zstd", zstdCompressSync(WAV), { "content-encoding": "zstd" }, received("zstd")],
  [
    "a data URL",
    Buffer.from(`data:audio/wav;base64,${WAV.toString("base64")}`),
    {},
    received("Base64"),
  ],
  ["a BOM", Buffer.concat([Buffer.from("\uFEFF"), WAV]), {}, received("UTF-8 BOM")],
  ["UTF-16", wide(WAV.toString("latin1"), { bytes: 2, hasMark: true }), {}, received("UTF-16")],
])(
  "[U11] names %s around a file, by PUT and PATCH, of any size",
  async ([, body, headers, error]) => {
    for (const isExact of [true, false]) {
      const { id, token, path } = await announced(body, isExact);
      const code = error === FORM_SENTENCE ? "FILE_IN_FORM" : "FILE_ENCODED";
      const about = { error, sound: "1", file: "a.wav", position: 1 };
      for (const [method, more] of [
        ["PUT", {}],
        ["PATCH", partHeaders(0, "?1")],
      ] as const) {
        const { status, json } = await relay.call(method, path, {
          token,
          headers: { ...headers, ...more },
          body,
        });
        expect([status, json]).toEqual([422, { ...about, code }]);
      }
      expect((await relay.status(token, id)).status).toBe("uploading");
    }
  },
);

test("[U11] a form of unknown length that comes in small pieces is named", async () => {
  const { token, path } = await announced(WAV, true);
  const form = formOf(Buffer.from("plain")).toString();
  const pieces = [form.slice(0, 20), form.slice(20, 40), form.slice(40)];
  const chunks = [...pieces, ""].map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`);
  const head = `PUT ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
  expect(await rawCall(relay.url, head + chunks.join(""))).toContain(FORM_SENTENCE);
});

test("[U11] a form by PATCH is named by its type alone", async () => {
  const { token, path } = await announced(WAV, true);
  const headers = { ...partHeaders(0, "?1"), "content-type": FORM_TYPE };
  const { status, json } = await relay.call("PATCH", path, { token, headers, body: formOf(WAV) });
  expect([status, json.code]).toEqual([422, "FILE_IN_FORM"]);
});

test("[U11] in the middle of a file only a form is named", async () => {
  const { token, path } = await announced(WAV, true);
  const half = 100;
  const append = (body: Uint8Array, offset: number, end: "?0" | "?1") =>
    relay.call("PATCH", path, { token, headers: partHeaders(offset, end), body });
  for (const [rest, code] of [
    [formOf(WAV.subarray(half)), "FILE_IN_FORM"],
    [gzipSync(WAV.subarray(half)), "SIZE_DIFFERS"],
  ] as const) {
    expect((await append(WAV.subarray(0, half), 0, "?0")).status).toBe(204);
    expect((await append(rest, half, "?1")).json.code).toBe(code);
  }
});

test("[U11] a right file passes with headers of a wrapping, and a wrong WAV keeps its own refusal", async () => {
  const { token, path } = await announced(WAV, true);
  const headers = { "content-type": FORM_TYPE, "content-encoding": "gzip" };
  const call = (body: Uint8Array) => relay.call("PUT", path, { token, headers, body });
  expect((await call(WAV)).status).toBe(200);
  expect((await call(WAV.subarray(1))).json.code).toBe("FILE_IN_FORM");
  expect((await call(WAV.subarray(0, 100))).json.code).toBe("SIZE_DIFFERS");
  expect((await call(Buffer.from(smallWav({ fill: 9 })))).json.code).toBe("CHECKSUM_DIFFERS");
});

test("[U11] a sender that holds its bytes back is refused by its headers", async () => {
  const { token, path } = await announced(WAV, true);
  const held = (...headers: string[]) =>
    rawCall(
      relay.url,
      [
        `PUT ${path} HTTP/1.1`,
        "Host: localhost",
        `Authorization: Bearer ${token}`,
        "Content-Length: 9",
        ...headers,
        "",
        "",
      ].join("\r\n"),
    );
  const [plain, form, expecting] = await Promise.all([
    held(),
    held(`Content-Type: ${FORM_TYPE}`),
    held("Content-Encoding: br", "Expect: 100-continue"),
  ]);
  expect(plain).toContain("received 9 bytes, expected 244");
  expect(form).toContain(FORM_SENTENCE);
  expect(expecting).toMatch(/^HTTP\/1.1 422 [^]*received as Brotli/);
});

const MANIFEST = JSON.stringify(manifestOf(["a.wav"]));

test.for<[string, Uint8Array | string, Record<string, string>]>([
  ["JSON_IN_FORM", formOf(Buffer.from(MANIFEST)), {}],
  ["JSON_IN_FORM", `m=${encodeURIComponent(MANIFEST)}`, {}],
  ["gzip", gzipSync(MANIFEST), { "content-encoding": "gzip" }],
  ["gzip", gzipSync(MANIFEST), {}],
  ["deflate", deflateSync(MANIFEST), { "content-encoding": "deflate" }],
  ["Brotli", brotliCompressSync(MANIFEST), { "content-encoding": "br" }],
  ["zstd", zstdCompressSync(MANIFEST), { "content-encoding": "zstd" }],
  ["Base64", Buffer.from(MANIFEST).toString("base64"), {}],
  ["UTF-16", wide(MANIFEST, { bytes: 2, hasMark: true }), {}],
  ["UTF-16", wide(MANIFEST, { bytes: 2, isBig: true }), {}],
  ["UTF-32", wide(MANIFEST, { bytes: 4 }), {}],
])(
  "[M11] a manifest in a wrapping gets the sentence that names it: %s",
  async ([wrapping, body, headers], { expect }) => {
    const { token } = await relay.paired();
    const answer = await relay.call("POST", "/packages", {
      token,
      headers,
      body: Buffer.from(body),
    });
    const code = wrapping === "JSON_IN_FORM" ? wrapping : "JSON_ENCODED";
    const sentence = REFUSALS[code].sentence.replace("{encoding}", wrapping);
    expect([answer.status, answer.json.error]).toEqual([400, sentence]);
    const claim = await relay.call("POST", "/pair/claim", { headers, body: Buffer.from(body) });
    expect([claim.status, claim.json.error]).toEqual([400, sentence]);
  },
);

test("[M11] JSON is taken with a byte order mark of UTF-8, and with any Content-Encoding", async () => {
  const { token } = await relay.paired();
  const headers = { "content-encoding": "gzip" };
  const announce = (body: string) =>
    relay.call("POST", "/packages", { token, headers, body: Buffer.from(body) });
  expect((await announce(`\uFEFF${MANIFEST}`)).status).toBe(201);
  expect((await announce("")).json.code).toBe("NOT_JSON");
  expect((await announce("{")).json.code).toBe("JSON_ENCODED");
});
