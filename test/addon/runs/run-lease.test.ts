import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { RelayError, RelayUnreachableError } from "../../../addon/relay/relay-errors.ts";
import { ManualTimers } from "../manual-timers.ts";
import { cutAfter } from "./memory-source.ts";
import { setUpNoting as setUp } from "./noting-run.ts";

describe("a run whose lease another run has taken", () => {
  const elsewhere = new RelayError(409, "Another import is running. Try again in 280 s.", {
    code: "RUN_ELSEWHERE",
  });

  test("[S2] stops at the host with the relay's sentence", async () => {
    const { box, host, run } = await setUp("relay");
    const timers = new ManualTimers();
    host.act = async ({ signal }) => {
      box.take = elsewhere;
      timers.advance(60_000);
      await once(signal, "abort");
      throw new Error("The host was cancelled.");
    };
    await expect(run({ timers })).rejects.toBe(elsewhere);
  });

  test("[S2] notices before it places anything, where the last renewal is older than a minute", async () => {
    const { box, calls, host, run, source } = await setUp("relay");
    const timers = new ManualTimers();
    source.attempts.set("Snare.wav", [
      (request) => {
        // The computer slept.
        timers.sleep(120_000);
        box.take = elsewhere;
        return cutAfter(Infinity)(request);
      },
    ]);
    await expect(run({ timers })).rejects.toBe(elsewhere);
    expect(host.requests).toEqual([]);
    expect(calls).toEqual(["take pkg_a", "take pkg_a"]);
  });

  test("[S2] goes on where the relay can't be asked while its lease lasts", async () => {
    const { box, run, source } = await setUp("relay");
    const timers = new ManualTimers();
    source.attempts.set("Snare.wav", [
      (request) => {
        timers.sleep(120_000);
        box.take = new RelayUnreachableError("Nothing answers.");
        return cutAfter(Infinity)(request);
      },
    ]);
    expect((await run({ timers })).status).toBe("imported");
  });
});
