import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type RefusalCode, REFUSALS } from "../../../core/protocol/refusals.ts";
import cases from "../../../fixtures/refused/calls/cases.json" with { type: "json" };
import { RunningRelay } from "../running-relay.ts";
import { manifestOf } from "../../manifest-of.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** Tests, cases, and the checks that conformance.test.ts runs. */
const PRODUCING = ["test/**/*.ts", "fixtures/refused/**/*.json", "cli/conformance/checks/*.ts"];

test("[E1][E3] each case of fixtures/refused/calls gets its status, code and sentence", async () => {
  await using relay = await RunningRelay.start();
  const { importer, token } = await relay.paired();
  const { package_id: uploading } = await relay.announce(token, manifestOf(["kick.wav"]));
  const waiting = await relay.send(token);
  const tokens = { app: token, importer: importer.token };
  for (const { code, call, error, ...more } of cases) {
    const [method = "", path = ""] = call.split(" ");
    const as = "as" in more ? (more.as as keyof typeof tokens) : undefined;
    const answer = await relay.call(
      method,
      path.replace("{uploading}", uploading).replace("{waiting}", waiting),
      {
        ...(as !== undefined && { token: tokens[as] }),
        ...("body" in more && more.body !== undefined && { body: more.body }),
        ...("headers" in more && { headers: more.headers }),
      },
    );
    expect([answer.status, answer.json.code, answer.json.error], call).toEqual([
      REFUSALS[code as RefusalCode].status,
      code,
      error,
    ]);
  }
});

test("[E3] every refusal of the table is produced by a test or a case", () => {
  const texts = globSync(PRODUCING, { cwd: ROOT })
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");
  const never = Object.keys(REFUSALS).filter((code) => !texts.includes(`"${code}"`));
  expect(never).toEqual([]);
});

test("[P6] too many tries, and [U5] a JSON body that never ends, have their own codes", async () => {
  await using relay = await RunningRelay.start({
    SOUNDFERRY_PAIRING_TRIES_PER_MINUTE: "1",
    SOUNDFERRY_UPLOAD_IDLE_S: "1",
  });
  await relay.call("POST", "/importer/register");
  const again = await relay.call("POST", "/importer/register");
  expect([again.status, again.json.code]).toEqual([429, "TRIES_TOO_MANY"]);
  const never = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
  });
  const slow = await fetch(`${relay.url}/pair/claim`, {
    method: "POST",
    body: never,
    duplex: "half",
  });
  const { code } = (await slow.json()) as { code: string };
  expect([slow.status, code]).toEqual([408, "REQUEST_TOO_SLOW"]);
});
