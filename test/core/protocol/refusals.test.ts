import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MAX_ERROR_UNITS } from "../../../core/limits.ts";
import { Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { REFUSALS } from "../../../core/protocol/refusals.ts";

const PAGE = readFileSync(new URL("../../../docs/use/errors.md", import.meta.url), "utf8");

test("[E3] every refusal fits the limit and is documented with its status and sentence", () => {
  const documented = [...PAGE.matchAll(/^\| `([A-Z0-9_]+)` \| (\d+) \| (.+) \|$/gm)].map(
    ([, code, status, sentence]) => [code, Number(status), sentence],
  );
  const table = Object.entries(REFUSALS).map(([code, { status, sentence }]) => [
    code,
    status,
    sentence,
  ]);
  expect(documented).toEqual(table);
  expect(table.filter(([, , sentence]) => String(sentence).length > MAX_ERROR_UNITS)).toEqual([]);
});

test("[E3] a refusal has its code, status, filled sentence and extras", () => {
  const extras = { retryAfterSeconds: 7, body: { expires_in: 7 } };
  const refused = refusal("RUN_ELSEWHERE", { seconds: 7 }, extras);
  expect(refused).toBeInstanceOf(Refusal);
  expect(refused).toMatchObject({ name: "Refusal", code: "RUN_ELSEWHERE", status: 409, extras });
  expect(refused.message).toBe("Another import is running. Try again in 7 s.");
  expect(refusal("NOT_JSON")).toMatchObject({ status: 400, extras: {} });
});

test("[E1] shortens a long name until the sentence has exactly 80 units", () => {
  const { message } = refusal("WAV_CUT_SHORT", { file: `${"x".repeat(100)}.wav` });
  expect(message).toBe(`${"x".repeat(37)}…: the file is incomplete. Export it again.`);
  expect(message).toHaveLength(80);
  const fitting = "x".repeat(38);
  expect(refusal("WAV_CUT_SHORT", { file: fitting }).message).toBe(
    `${fitting}: the file is incomplete. Export it again.`,
  );
});

test("[E1] shortens the longer of two names first, the other only if necessary", () => {
  const sound = 'Sound 3 "Kick"';
  const { message } = refusal("FILE_TWICE", { sound, file: `${"y".repeat(60)}.wav` });
  expect(message).toBe(`${sound}: another sound already uses ${"y".repeat(35)}….`);
  const both = refusal("FILE_TWICE", { sound: "s".repeat(90), file: "y".repeat(95) });
  expect(both.message).toHaveLength(80);
  expect(both.message).toMatch(/^s+…: another sound already uses y*…\.$/);
  const turned = refusal("FILE_TWICE", { sound: "s".repeat(95), file: "y".repeat(10) });
  expect(turned.message).toMatch(/^s+…: another sound already uses y{10}\.$/);
});

test("[E1] params can't break the line or change its direction", () => {
  const { message } = refusal("FILE_UNKNOWN", { file: "a\r\nb\u202ec\u2028d" });
  expect(message).toBe("The package has no file a b c d.");
});

test("[E1] doesn't fill braces in a name", () => {
  expect(refusal("FILE_UNKNOWN", { file: "{file}" }).message).toBe(
    "The package has no file {file}.",
  );
});
