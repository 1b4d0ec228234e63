import { afterEach, expect, test, vi } from "vitest";
import { ClientError } from "../../client/wire/client-error.ts";
import { retrying } from "../../client/wire/retry.ts";

afterEach(() => vi.unstubAllGlobals());

/** A browser whose events a test sends, and a call that fails until it is repeated. */
function pausedCall(visibilityState = "visible") {
  const browser = new EventTarget();
  vi.stubGlobal("addEventListener", browser.addEventListener.bind(browser));
  vi.stubGlobal("document", { visibilityState });
  let calls = 0;
  const waiting = Promise.withResolvers<void>();
  const stop = new AbortController();
  const result = retrying(
    {
      // No wait ends on its own.
      sleep: (_milliseconds, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
        }),
      random: () => 0,
      nowMs: () => 0,
      giveUpAfterMs: 1000,
      onRetry: () => waiting.resolve(),
      signal: stop.signal,
    },
    async () => {
      calls += 1;
      if (calls === 1) throw new ClientError("No answer.", { code: "NO_ANSWER" });
      return "sent";
    },
  );
  return { browser, result, waiting: waiting.promise, calls: () => calls, stop };
}

test.each(["online", "pageshow", "resume", "visibilitychange"])(
  "[G24][W13] a paused call is repeated at once on %s",
  async (type) => {
    const { browser, result, waiting } = pausedCall();
    await waiting;
    browser.dispatchEvent(new Event(type));
    expect(await result).toBe("sent");
  },
);

test("[G24] a page that goes out of sight repeats nothing", async () => {
  const { browser, result, waiting, calls, stop } = pausedCall("hidden");
  await waiting;
  browser.dispatchEvent(new Event("visibilitychange"));
  stop.abort(new Error("enough"));
  await expect(result).rejects.toThrow("enough");
  expect(calls()).toBe(1);
});
