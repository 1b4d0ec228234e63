import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { RETRY_STOPPING_SECONDS } from "../../../core/limits.ts";
import { STOPPING_ANSWER } from "./stopping-answer.ts";
import { makeMachine, type RunningCommand } from "../../cli/run-soundferry.ts";
import { smallWav } from "../../wav-bytes.ts";
import { type Answer, callThrough, postJson } from "./call-through.ts";
import { PROXIES, type Proxy } from "./proxies.ts";
import { freePort } from "../../engines/free-port.ts";
import { startProxy } from "./running-proxy.ts";
import { manifestOf } from "../../manifest-of.ts";

const isUp = ({ stdout }: { readonly stdout: string }) => stdout.includes('"url"');

/** A relay's process behind the proxy, an app's token and a package that it has announced. */
async function prepare(proxy: Proxy) {
  const machine = await makeMachine();
  onTestFinished(() => machine[Symbol.asyncDispose]());
  const port = await freePort();
  const start = (...more: readonly string[]): RunningCommand =>
    machine.start(
      ["relay", "--json", "--port", String(port), "--data", join(machine.home, "relay"), ...more],
      { SOUNDFERRY_TRUST_PROXY: "127.0.0.1" },
    );
  const first = start();
  await first.until(isUp);
  const through = await startProxy(proxy, port);
  onTestFinished(() => through[Symbol.asyncDispose]());
  const { url } = through;
  const registered = JSON.parse((await postJson(`${url}/importer/register`, {})).text);
  const importer: string = registered.importer_token;
  const code = await postJson(`${url}/importer/pairing-code`, {}, { token: importer });
  const claim = { code: JSON.parse(code.text).code, app_name: "App", app_id: "app" };
  const token: string = JSON.parse((await postJson(`${url}/pair/claim`, claim)).text).app_token;
  const announced = JSON.parse(
    (await postJson(`${url}/packages`, manifestOf(["kick.wav"]), { token })).text,
  );
  const put = () =>
    callThrough(url + announced.upload["kick.wav"], {
      method: "PUT",
      token,
      headers: { "content-length": smallWav().byteLength },
      body: [smallWav()],
    });
  const announce = () => postJson(`${url}/packages`, manifestOf(["snare.wav"]), { token });
  const read = () => callThrough(`${url}/packages/${announced.package_id}/status`, { token });
  return { first, start, url, sending: [put, announce], reading: [read, read] };
}

describe.for(PROXIES)("$name", (proxy) => {
  describe.skipIf(!proxy.isInstalled)(`(needs ${proxy.name})`, () => {
    test("[K14] calls while no relay listens wait for the next one, or get 503 with Retry-After", async () => {
      const { first, start, sending, reading } = await prepare(proxy);
      first.interrupt("SIGTERM");
      expect((await first.ended).status).toBe(0);
      const sent = Promise.all(sending.map((call) => call()));
      const read = Promise.all(reading.map((call) => call()));
      if (proxy.holds === "none") await Promise.all([sent, read]);
      const second = start("--wait-for-lock-s", "30");
      for (const answer of await read) expectHeld(answer, proxy.holds !== "none");
      for (const answer of await sent) expectHeld(answer, proxy.holds === "all");
      await second.until(isUp);
      const again = await Promise.all(sending.map((call) => call()));
      expect(statusesOf(again)).toEqual([200, 201]);
    });

    test("[K14] no call gets a 502 while a relay is replaced", async () => {
      const { first, start, url } = await prepare(proxy);
      const answers: Answer[] = [];
      const over = new AbortController();
      const calling = Array.from({ length: 4 }, async () => {
        while (!over.signal.aborted) answers.push(await callThrough(`${url}/importer/hello`));
      });
      first.interrupt("SIGTERM");
      const second = start("--wait-for-lock-s", "120");
      expect((await first.ended).status).toBe(0);
      await second.until(isUp);
      over.abort();
      await Promise.all(calling);
      answers.push(await callThrough(`${url}/importer/hello`));
      expect(answers.at(-1)?.status).toBe(200);
      for (const answer of answers) {
        if (answer.status !== 200) expectStopping(answer);
      }
      if (proxy.holds !== "none") expect(new Set(statusesOf(answers))).toEqual(new Set([200]));
    });
  });
});

function statusesOf(answers: readonly Answer[]): readonly number[] {
  return answers.map(({ status }) => status);
}

/** @param mustBe false if it may have been told to come back instead */
function expectHeld(answer: Answer, mustBe: boolean): void {
  if (mustBe || answer.status < 300) expect(answer.status).toBeOneOf([200, 201]);
  else expectStopping(answer);
}

/** Expects the answer that makes apps and importers try again. */
function expectStopping({ status, headers, text }: Answer): void {
  expect([status, JSON.parse(text)]).toEqual([503, STOPPING_ANSWER]);
  expect(headers).toMatchObject({
    "retry-after": String(RETRY_STOPPING_SECONDS),
    "content-type": "application/json",
    "access-control-allow-origin": "*",
  });
}
