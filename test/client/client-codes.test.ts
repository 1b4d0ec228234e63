import { readdirSync, readFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { ClientError, type OwnErrorCode } from "../../client/wire/client-error.ts";
import { manifestOf } from "../manifest-of.ts";
import { instantPace, pairedClient, startStandIn } from "./stand-in-relay.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/use/client.md"), "utf8");

/** Every code of the client: one that is missing here, or that the types don't have, isn't compiled. */
const OWN_CODES: Readonly<Record<OwnErrorCode, true>> = {
  NOT_PAIRED: true,
  ADDRESS_WRONG: true,
  NO_ANSWER: true,
  TIMEOUT: true,
  TLS_FAILED: true,
  RELAY_TROUBLE: true,
  REFUSED: true,
  REQUEST_IMPOSSIBLE: true,
  LIST_UNSUPPORTED: true,
  SOUNDS_REFUSED: true,
  SOUND_UNREADABLE: true,
  ROOM_TOO_SMALL: true,
  MIXED_CONTENT: true,
  LOCAL_NETWORK_DENIED: true,
  LOCAL_NETWORK_ASKING: true,
  CORS_BLOCKED: true,
  REDIRECTED: true,
  NOT_A_RELAY: true,
  FOREIGN_ANSWER: true,
  UPLOAD_BLOCKED: true,
  STORAGE_FORBIDDEN: true,
  TOKENS_DAMAGED: true,
  SENT_ELSEWHERE: true,
  UNFINISHED_GONE: true,
  SEND_ABORTED: true,
  SOUND_EMPTY: true,
  SOUND_TOO_LARGE: true,
  SOUND_MISSING: true,
  SOUND_CHANNELS: true,
  SOUND_UNDECODABLE: true,
};
/** A relay's code with which the client refuses a package before the relay could. */
const SHARED = ["TOTAL_TOO_LARGE"];

test("[W6] the page lists every code of the client, each once", () => {
  const rows = [...PAGE.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm)];
  const codes = rows.flatMap(([, cell = ""]) => cell.replaceAll("`", "").split(", "));
  expect(codes.toSorted()).toEqual([...Object.keys(OWN_CODES), ...SHARED].toSorted());
});

async function codeOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (error instanceof ClientError) return `${error.status ?? "-"} ${error.code}`;
    throw error;
  }
  throw new Error("It didn't fail.");
}

test.each([
  [401, "NOT_PAIRED"],
  [403, "REFUSED"],
  [409, "REFUSED"],
  [429, "REFUSED"],
  [500, "RELAY_TROUBLE"],
  [503, "RELAY_TROUBLE"],
  [507, "RELAY_TROUBLE"],
])("[W6] a %s without a code is %s", async (status, code) => {
  for (const body of [{}, { error: "No." }, { error: "No.", code: "" }]) {
    await using relay = await startStandIn(() => ({ status, body }));
    expect(await codeOf(() => pairedClient(relay.url).me())).toBe(`${status} ${code}`);
  }
});

test("[W6] nobody's answer has a code", async () => {
  const relay = await startStandIn(() => "hang up");
  expect(await codeOf(() => pairedClient(relay.url).me())).toBe("- NO_ANSWER");
  await relay[Symbol.asyncDispose]();
  expect(await codeOf(() => pairedClient(relay.url).me())).toBe("- NO_ANSWER");
  expect(await codeOf(() => pairedClient("http://relay.invalid").me())).toBe("- NO_ANSWER");
  expect(await codeOf(() => pairedClient("ftp://relay.example"))).toBe("- ADDRESS_WRONG");
});

test("[W6] a connection that isn't secure is no lost one", async () => {
  const folder = join(ROOT, "test/relay/tls");
  const [cert, key] = ["cert.pem", "key.pem"].map((name) => readFileSync(join(folder, name)));
  const server = createTlsServer({ cert, key }, (_request, response) => void response.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // A listening TCP server always has an address of this kind.
  const { port } = server.address() as AddressInfo;
  expect(await codeOf(() => pairedClient(`https://127.0.0.1:${port}`).me())).toBe("- TLS_FAILED");
  await using plain = await startStandIn(() => ({}));
  const secure = plain.url.replace("http:", "https:");
  expect(await codeOf(() => pairedClient(secure).me())).toBe("- TLS_FAILED");
});

test("[W6] what no header can have is named at once, and nothing is repeated", async () => {
  await using relay = await startStandIn(() => ({ body: {} }));
  const pace = instantPace();
  const tokenStore = new MemoryTokenStore("sfa_\r\nX-Other: 1");
  const broken = pairedClient(relay.url, { tokenStore, pace });
  const sound = { source: new Uint8Array(1) };
  expect(await codeOf(() => broken.me())).toBe("- REQUEST_IMPOSSIBLE");
  expect(await codeOf(() => broken.upload("/a.wav", new Blob(["x"])))).toBe("- REQUEST_IMPOSSIBLE");
  const manifest = { ...manifestOf(["kick.wav"]) };
  const sounds = new Map([["kick.wav", new Blob([sound.source])]]);
  const client = pairedClient(relay.url, { pace });
  const options = { idempotencyKey: "Ключ" };
  expect(await codeOf(() => client.sendManifest({ manifest, sounds }, options))).toBe(
    "- REQUEST_IMPOSSIBLE",
  );
  expect(relay.seen).toEqual([]);
  expect(pace.waits).toEqual([]);
});

test("[W47] the client's own members are camelCase, and each kind of id has one name", () => {
  const folders = ["wire", "send", "keeping", "pairing", "node", "audio", "element", "react"];
  const sources = folders.flatMap((folder) =>
    readdirSync(join(ROOT, "client", folder))
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(ROOT, "client", folder, name), "utf8")),
  );
  const members = [...sources.join("\n").matchAll(/\breadonly (\w+)\??:/g)].map(
    ([, name = ""]) => name,
  );
  expect(members.filter((name) => name.includes("_"))).toEqual([]);
  const ids = members.filter((name) => /(?:^i|I)ds?$/.test(name));
  expect([...new Set(ids)].toSorted()).toEqual(["appId", "id", "keepId", "packageId", "requestId"]);
});
