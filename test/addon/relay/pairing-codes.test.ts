import { describe, expect, onTestFinished, test } from "vitest";
import { PairingCodes } from "../../../addon/relay/pairing-codes.ts";
import { RelayError, RelayUnreachableError } from "../../../addon/relay/relay-errors.ts";
import type { Pairing } from "../../../core/panel/panel-pairing.ts";
import type { PairingCodeAnswer } from "../../../core/protocol/importer-api.ts";
import { ManualTimers } from "../manual-timers.ts";
import { until } from "../../sim/until.ts";

const MINUTE = 60_000;
const NOTHING: Pairing = { code: null, readAtMs: 0, usedBy: null };

/** The codes of a relay that the test plays, with a clock that it drives. */
function setUp({ lifeSeconds = 600 } = {}) {
  const timers = new ManualTimers();
  const calls: string[] = [];
  let nowMs = 1_000_000;
  let made = 0;
  let pairing = NOTHING;
  const relay = { answer: async (_call: string): Promise<void> => undefined };
  const call = async (name: string): Promise<void> => {
    calls.push(name);
    await relay.answer(name);
  };
  const codes = new PairingCodes({
    client: {
      pairingCode: async (): Promise<PairingCodeAnswer> => {
        await call("make");
        made += 1;
        return { code: `CODE${made}`, expires_at: "", expires_in: lifeSeconds };
      },
      endPairingCode: () => call("end"),
    },
    replaceCode: undefined,
    change: (change) => (pairing = { ...pairing, ...change }),
    timers,
    now: () => nowMs,
  });
  onTestFinished(() => {
    relay.answer = async () => undefined;
    return codes.close();
  });
  const pass = (ms: number): void => {
    nowMs += ms;
    timers.advance(ms);
  };
  return {
    codes,
    calls,
    relay,
    timers,
    pass,
    /** Passes the time as a computer does that sleeps: timers stand still. */
    sleep: (ms: number) => (nowMs += ms),
    shown: () => pairing.code?.code ?? null,
    pairing: () => pairing,
    open: (isFresh = false) => codes.open({ isFresh }),
  };
}

describe("a code of the pairing step", () => {
  test("[P2] lives while the step is visible, up to its end, and isn't renewed", async () => {
    const { open, codes, pass, shown, calls } = setUp();
    await open();
    for (let seconds = 0; seconds < 580; seconds += 20) {
      pass(20_000);
      codes.see(true);
      expect(shown()).toBe("CODE1");
    }
    pass(20_000);
    expect(shown()).toBeNull();
    codes.see(true);
    pass(10 * MINUTE);
    expect([shown(), calls]).toEqual([null, ["make"]]);
  });

  test("[P2] ends 3 minutes after the step was last visible, at the relay too", async () => {
    const { open, codes, pass, shown, calls } = setUp();
    await open();
    pass(MINUTE);
    codes.see(true);
    pass(10_000);
    codes.see(false);
    pass(3 * MINUTE - 1);
    expect(shown()).toBe("CODE1");
    pass(1);
    expect(shown()).toBeNull();
    await until(() => calls.length === 2);
    expect(calls).toEqual(["make", "end"]);
  });

  test("[P2] a step that comes back in time keeps its code", async () => {
    const { open, codes, pass, shown } = setUp();
    await open();
    codes.see(false);
    pass(2.9 * MINUTE);
    codes.see(true);
    pass(2.9 * MINUTE);
    expect(shown()).toBe("CODE1");
  });

  test("[P2] a page that only repeats that it is hidden doesn't keep the code", async () => {
    const { open, codes, pass, shown } = setUp();
    await open();
    for (let minutes = 0; minutes < 3; minutes++) {
      codes.see(false);
      pass(MINUTE);
    }
    expect(shown()).toBeNull();
  });

  test("[P2] a page that vanished without a word counts as not visible", async () => {
    const { open, pass, shown } = setUp();
    await open();
    pass(3 * MINUTE - 1);
    expect(shown()).toBe("CODE1");
    pass(1);
    expect(shown()).toBeNull();
  });

  test("[P2] a computer that slept ends the code before a page can say that it is visible", async () => {
    const { open, codes, sleep, shown } = setUp();
    await open();
    sleep(3 * MINUTE);
    codes.see(true);
    expect(shown()).toBeNull();
  });

  test("[P2] ends at once when the step is closed, also while it is being made", async () => {
    const { open, codes, shown, calls } = setUp();
    await open();
    await codes.hide();
    expect([shown(), calls]).toEqual([null, ["make", "end"]]);
    const opening = open();
    await codes.hide();
    expect(await opening).toMatchObject({ code: "CODE2" });
    expect([shown(), calls]).toEqual([null, ["make", "end", "make", "end"]]);
    await codes.hide();
    expect(calls).toHaveLength(4);
  });

  test("[P2] ends at the relay when the importer closes", async () => {
    const { open, codes, calls, timers } = setUp();
    await open();
    await codes.close();
    expect(calls).toEqual(["make", "end"]);
    expect(timers.remaining).toEqual([]);
  });

  test("[P2] closing doesn't wait for a relay that hangs", async () => {
    const { open, codes, relay, calls, pass } = setUp();
    await open();
    relay.answer = () => new Promise(() => {});
    const closing = codes.close();
    await until(() => calls.length === 2);
    pass(1000);
    await closing;
  });
});

describe("opening the step again", () => {
  test("[P2] shows the code that is valid, unless it ends soon or another one is wanted", async () => {
    const { open, pass, shown } = setUp();
    expect(await open()).toMatchObject({ code: "CODE1" });
    pass(2 * MINUTE);
    expect(await open()).toMatchObject({ code: "CODE1" });
    expect(await open(true)).toMatchObject({ code: "CODE2" });
    expect(shown()).toBe("CODE2");
    const short = setUp({ lifeSeconds: 59 });
    await short.open();
    expect(await short.open()).toMatchObject({ code: "CODE2" });
  });

  test("[P2] shares a code that is being made", async () => {
    const { open, codes, calls } = setUp();
    const [one, other, kept] = await Promise.all([open(), open(), codes.create()]);
    expect([one.code, other.code, kept.code]).toEqual(["CODE1", "CODE1", "CODE2"]);
    expect(calls).toEqual(["make", "make"]);
  });
});

describe("a kept code", () => {
  test("[P2] lives to its end although nobody sees it, and the step can't end it", async () => {
    const { codes, open, pass, shown, calls } = setUp();
    await codes.create();
    pass(5 * MINUTE);
    expect(await open()).toMatchObject({ code: "CODE1" });
    codes.see(false);
    await codes.hide();
    pass(5 * MINUTE - 1);
    expect(shown()).toBe("CODE1");
    pass(1);
    expect([shown(), calls]).toEqual([null, ["make"]]);
  });

  test("[P2] survives an importer that closes", async () => {
    const { codes, calls } = setUp();
    await codes.create();
    await codes.close();
    expect(calls).toEqual(["make"]);
  });

  test("[P2] is replaced by one that the step asks for, which ends with the step", async () => {
    const { codes, open, shown } = setUp();
    await codes.create();
    await open(true);
    await codes.hide();
    expect(shown()).toBeNull();
  });
});

describe("ending a code at the relay", () => {
  test("[P2] is tried again while the relay can't be reached, until the code is over there", async () => {
    const { open, codes, relay, calls, timers, pass } = setUp({ lifeSeconds: 62 });
    await open();
    relay.answer = async () => {
      throw new RelayUnreachableError("away");
    };
    await codes.hide();
    expect(calls).toEqual(["make", "end"]);
    for (let count = 3; count <= 14; count++) {
      pass(5000);
      await until(() => calls.length === count && timers.remaining.length === 1);
    }
    pass(5000);
    await until(() => timers.remaining.length === 0);
    expect(calls).toHaveLength(14);
  });

  test.each([new RelayError(503, "Later."), new RelayError(429, "Too many.")])(
    "[P2] is tried again after %s",
    async (error) => {
      const { open, codes, relay, calls, pass } = setUp();
      await open();
      relay.answer = async () => {
        throw error;
      };
      await codes.hide();
      relay.answer = async () => undefined;
      pass(5000);
      await until(() => calls.length === 3);
    },
  );

  test("[P2] an older relay that doesn't know the call is left alone", async () => {
    const { open, codes, relay, timers, shown } = setUp();
    await open();
    relay.answer = () => Promise.reject(new RelayError(404, "There is no such address."));
    await codes.hide();
    expect([shown(), timers.remaining]).toEqual([null, []]);
    relay.answer = async () => undefined;
    expect(await open()).toMatchObject({ code: "CODE2" });
  });

  test("[P2] never ends the code that came after it", async () => {
    const { open, codes, relay, calls, timers, pass } = setUp();
    await open();
    relay.answer = () => Promise.reject(new RelayUnreachableError("away"));
    await codes.hide();
    relay.answer = async () => undefined;
    await open();
    pass(5000);
    expect([calls, timers.remaining.length]).toEqual([["make", "end", "make"], 1]);
  });
});

describe("a code that was used", () => {
  const usedBy = { name: "Looper", pairingId: "pair_1" };

  test("[P2] is over, and its app is known until the next code", async () => {
    const { open, codes, pairing, calls } = setUp();
    const code = await open();
    codes.noteUsed(code, usedBy);
    expect(pairing()).toMatchObject({ code: null, usedBy });
    await codes.hide();
    expect([pairing().usedBy, calls]).toEqual([usedBy, ["make"]]);
    await open();
    expect(pairing()).toMatchObject({ code: { code: "CODE2" }, usedBy: null });
  });

  test("[P2] doesn't end a newer one", async () => {
    const { open, codes, shown } = setUp();
    const code = await open();
    await open(true);
    codes.noteUsed(code, usedBy);
    codes.noteUsed(null, usedBy);
    expect(shown()).toBe("CODE2");
  });
});
