import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepPairingCode } from "../../../cli/running/keep-pairing-code.ts";
import { importerAtWork } from "../../addon/importer-at-work.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** An importer that says it is connected, and whose codes a test gives or refuses. */
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
  return { troubles, onCode: () => undefined, onTrouble: (error: unknown) => troubles.push(error) };
}

test("[K2][P2] a relay that gave no code is asked again, until it is over", async () => {
  const { importer, asked } = await connectedImporter();
  asked.mockRejectedValue(new Error("not now"));
  const { troubles, ...told } = options();
  const kept = keepPairingCode(importer, told);
  await vi.waitFor(() => expect(troubles).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(5000);
  expect(asked).toHaveBeenCalledTimes(2);
  kept[Symbol.dispose]();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveBeenCalledTimes(2);
});

test("[K2] a question that fails because all is closing is told to nobody, and keeps nothing alive", async () => {
  const { importer, asked } = await connectedImporter();
  const answer = Promise.withResolvers<never>();
  asked.mockReturnValue(answer.promise);
  const { troubles, ...told } = options();
  keepPairingCode(importer, told)[Symbol.dispose]();
  answer.reject(new Error("Soundferry is closing."));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(troubles).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
