import { expect, test } from "vitest";
import { actInTypeScript } from "./act-in-typescript.ts";
import { recordVectors } from "./record-vectors.ts";
import { startStandIn } from "../client/stand-in-relay.ts";
import { standInAnswer, startReplay } from "./replay-server.ts";
import { someOf } from "../whole-forms.ts";
import { type ForeignAnswer, readVectors, type Vector } from "./vector.ts";

const FILE = readVectors();

test("[W52] the vectors are what a relay answers now", async () => {
  expect(await recordVectors()).toEqual(FILE);
});

test.each(FILE.vectors)("[W52] the TypeScript client passes: $name", async (vector) => {
  await using server = await startReplay(vector.exchanges);
  const { result, error, keepsToken } = await actInTypeScript(FILE, vector, server.url);
  expect(server.problems()).toEqual([]);
  if (vector.result !== undefined) expect(result).toMatchObject(vector.result);
  expect(error).toEqual(vector.error);
  expect(keepsToken).toBe(vector.keepsToken);
});

const { answers, calls, vectors } = FILE.foreign;

/** A vector of the file, by its name. */
function vectorOf(name: string): Vector {
  const vector = FILE.vectors.find((one) => one.name === name);
  if (vector === undefined) throw new Error(`The file has no vector ${name}.`);
  return vector;
}

/** `fetch` hides a proxy's 407, which then counts as a lost connection. */
const codeOf = (code: string, { answer }: ForeignAnswer) =>
  answer.status === 407 ? "NO_ANSWER" : code;

/** These calls are repeated by the client itself. */
const REPEATED = new Set(["send", "pair"]);

test.each(answers)("[W41][W52] at first, $name isn't a relay's", async (one) => {
  await using server = await startStandIn(() => standInAnswer(one.answer));
  for (const call of calls) {
    const { error, keepsToken } = await actInTypeScript(FILE, vectorOf(call), server.url);
    expect(error, call).toMatchObject({ code: codeOf(one.first, one) });
    expect(keepsToken, call).toBe(true);
  }
});

test.each(someOf(answers, 7))("[W41][W52] in the middle, $name isn't the relay's", async (one) => {
  const known = vectorOf("the paired computer").exchanges;
  for (const call of calls) {
    const vector = vectorOf(call);
    for (const { need, request } of vector.exchanges) {
      if (need === "may") continue;
      await using server = await startReplay([...known, ...vector.exchanges]);
      const foreign = () => server.answerOnce({ ...request, answer: one.answer });
      const { result, error, keepsToken } = await actInTypeScript(
        FILE,
        vector,
        server.url,
        foreign,
      );
      const where = `${call}, ${request.method}`;
      expect(keepsToken, where).toBe(true);
      if (REPEATED.has(vector.act.call)) {
        expect(server.problems(), where).toEqual([]);
        expect(result, where).toMatchObject(vector.result ?? {});
      } else expect(error, where).toMatchObject({ code: codeOf("FOREIGN_ANSWER", one) });
    }
  }
});

test.each(vectors)("[W41][W52] the TypeScript client tells apart: $name", async (vector) => {
  await using server = await startReplay(vector.exchanges);
  for (const instead of vector.instead ?? []) server.answerOnce(instead);
  const { result, error, keepsToken } = await actInTypeScript(FILE, vector, server.url);
  expect(error ?? {}).toMatchObject(vector.error ?? {});
  if (vector.error === undefined) expect(error).toBeUndefined();
  if (vector.result !== undefined) expect(result).toMatchObject(vector.result);
  expect(server.problems()).toEqual([]);
  expect(keepsToken).toBe(vector.keepsToken);
});

test("[W52] a client that asks for something else, or leaves something out, fails", async () => {
  const [vector] = FILE.vectors;
  await using server = await startReplay(vector?.exchanges ?? []);
  await fetch(`${server.url}/packages`, { method: "POST", body: "{}" });
  expect(server.problems()).toEqual(["unexpected: POST /packages", "missing: POST /packages"]);
});
