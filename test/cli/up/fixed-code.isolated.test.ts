import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepFixedCode } from "../../../cli/commands/up/fixed-code.ts";
import { importerAtWork } from "../../addon/importer-at-work.ts";
import { until } from "../../sim/until.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A connected importer whose codes the test provides or refuses. */
async function connectedImporter() {
  const { importer } = await importerAtWork(null);
  const state = {
    ...importer.state,
    connection: { ...importer.state.connection, status: "connected" as const },
  };
  vi.spyOn(importer, "state", "get").mockReturnValue(state);
  const asked = vi.spyOn(importer, "pairingCode");
  return { importer, asked };
}

function options() {
  const troubles: unknown[] = [];
  const shown = { code: "K7MQ2X", expires_at: "2026-11-21T12:10:00.000Z", expires_in: 600 };
  return {
    shown,
    troubles,
    onCode: () => undefined,
    onTrouble: (error: unknown) => troubles.push(error),
  };
}

test("[K2][P2] requests a code again after a failure, until it is disposed", async () => {
  const { importer, asked } = await connectedImporter();
  asked.mockRejectedValue(new Error("not now"));
  const { troubles, ...told } = options();
  const kept = keepFixedCode(importer, told);
  await until(() => expect(troubles).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveBeenCalledTimes(2);
  kept[Symbol.dispose]();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveBeenCalledTimes(2);
});

test("[K2] ignores a request that fails while closing, and keeps nothing alive", async () => {
  const { importer, asked } = await connectedImporter();
  const answer = Promise.withResolvers<never>();
  asked.mockReturnValue(answer.promise);
  const { troubles, ...told } = options();
  keepFixedCode(importer, told)[Symbol.dispose]();
  answer.reject(new Error("Soundferry is closing."));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(troubles).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
