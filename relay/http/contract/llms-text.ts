import { MAX_SOUNDS } from "../../../core/limits.ts";
import { PACKAGE_SIZE } from "../../../core/text/format-limit.ts";
import { VERSION } from "../../../core/version.ts";
import { RETRY_ADVICE, TOKEN_ADVICE } from "./advice.ts";
import type { ContractDocument } from "./openapi/document.ts";

/**
 * `/llms.txt` (https://llmstxt.org): what a program that writes code for an app should know first, in Markdown.
 * @param hasPages whether the relay serves `/client.js`
 */
export function llmsText(
  { paths, tags }: ContractDocument,
  { hasPages }: { readonly hasPages: boolean },
): string {
  return [
    "# Soundferry",
    "",
    `> Carries sounds from an app into Ableton Live. The app sends a package of WAV files to this relay (version ${VERSION}) over HTTP; a person clicks Import in Live; the package becomes a scene with one track for each sound; the app reads the result of each.`,
    "",
    `- Addresses are relative to this relay. A package has at most ${MAX_SOUNDS} sounds, ${PACKAGE_SIZE} together.`,
    "- The flow: `POST /pair/claim` with the code that the person reads in Soundferry, or at this relay's `/receive` in any browser, where nothing is installed (once; keep the token); `POST /packages` with the manifest; `PUT` each file to the path that was answered; `POST …/commit`; `GET …/status?wait=30&known=<status>` until the status is final.",
    `- Each refusal is \`{error, code}\`: show \`error\`, switch on \`code\`. ${RETRY_ADVICE}`,
    `- ${TOKEN_ADVICE}`,
    "- A page on https can't call a relay on http, except on this computer and, in Chrome, in the local network: there the browser asks the person first. The client's codes are `MIXED_CONTENT`, `LOCAL_NETWORK_ASKING` and `LOCAL_NETWORK_DENIED`.",
    '- `soundferry up --auto-import --code "SND FRY"` runs everything on one computer without Live; `--pretend partial`, `failed`, `expired`, `no-room`, `slow` or `rate-limited` makes an outcome happen.',
    "",
    ...(hasPages ? CLIENT : []),
    "## Reference",
    "",
    "- [openapi.json](openapi.json): every call, status and code, as OpenAPI 3.1",
    "- [Reference as one page](docs): the same for reading",
    "- [manifest.schema.json](manifest.schema.json): what `POST /packages` takes",
    "",
    ...tags.flatMap(({ name }) => [`## ${name}`, "", ...callsOf(paths, name), ""]),
  ].join("\n");
}

const CLIENT = [
  "## In a web page or in Node",
  "",
  `Prefer the client to calls of your own: it hashes, retries and follows. [client.js](client.js) is one ES module without dependencies, [client-${VERSION}.d.ts](client-${VERSION}.d.ts) its types.`,
  "",
  "```js",
  'import { LocalStorageTokenStore, localAppId, SoundferryClient } from "./client.js";',
  "",
  'const relayUrl = "http://127.0.0.1:4700";',
  "const client = new SoundferryClient({",
  "  relayUrl,",
  '  app: { name: "Looper", id: localAppId() },',
  "  tokenStore: new LocalStorageTokenStore(relayUrl),",
  "});",
  'await client.pair("SND FRY");',
  'const sounds = [{ source: wavBlob, name: "Beat", kind: "loop", role: "drums", bpm: 120 }];',
  'const { packageId } = await client.send({ title: "Take one", sounds });',
  "for await (const { status, results } of client.follow(packageId)) console.log(status, results);",
  "```",
  "",
];

function callsOf(paths: ContractDocument["paths"], tag: string): readonly string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(
        ([method, { operationId, summary }]) =>
          `- [\`${method.toUpperCase()} ${path}\`](docs#${operationId}): ${summary}`,
      ),
  );
}
