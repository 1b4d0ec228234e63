import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CLIENT_SENTENCES } from "../../client/send/words/explain.ts";
import { ENGLISH } from "../../core/messages/en/english.ts";
import { REFUSALS } from "../../core/protocol/refusals.ts";

const CLIENT = join(import.meta.dirname, "..", "..", "client");

/** The sources of these folders, with each value in a sentence as `…`. */
function sourcesOf(...folders: readonly string[]): string {
  return folders
    .flatMap((folder) =>
      readdirSync(join(CLIENT, folder)).map((file) => join(CLIENT, folder, file)),
    )
    .filter((path) => /\.(ts|py)$/.test(path))
    .map((path) => readFileSync(path, "utf8").replaceAll(/\$?\{[^{}]+\}/g, "…"))
    .join("\n");
}

const sentenceOf = (key: (typeof CLIENT_SENTENCES)[number]) =>
  ENGLISH[key].replaceAll(/\{\w+\}/g, "…");

test.each(CLIENT_SENTENCES)("[N20] the client says %s as the pages translate it", (key) => {
  const sources = sourcesOf("wire", "parts", "audio", "send");
  // The client adds its last sentence to another text.
  const [text = "", added = ""] = sentenceOf(key).split(/(?= Otherwise,)/);
  expect(sources).toContain(text);
  expect(sources).toContain(added);
});

test.each(["wire", "python/soundferry"])(
  "client/%s says like a relay that a token is unknown, where a proxy has taken the relay's words",
  (folder) => {
    expect(sourcesOf(folder)).toContain(REFUSALS.TOKEN_UNKNOWN.sentence);
  },
);

test.each([
  "page.soundGone",
  "page.relayLost",
  "page.relaySlow",
  "page.notRelay",
  "page.foreignAnswer",
  "page.uploadBlocked",
] as const)("the Python client says %s as the others do", (key) => {
  expect(sourcesOf("python/soundferry")).toContain(sentenceOf(key));
});
