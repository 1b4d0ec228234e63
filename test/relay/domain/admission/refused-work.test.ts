import { describe, expect, test } from "vitest";
import { RefusedWork } from "../../../../relay/domain/admission/refused-work.ts";
import { type Caller, strangerAt } from "../../../../relay/domain/caller.ts";

const LIMITS = { perPairing: 100, perDevice: 200, perAddress: 400, all: 1000 };
const wait = (seconds: number) =>
  expect.objectContaining({
    code: "REFUSED_TOO_MUCH",
    status: 429,
    extras: { retryAfterSeconds: seconds },
  });

const app = (pairingId: string, deviceId = `of ${pairingId}`, address = "192.0.2.1"): Caller => ({
  ...strangerAt(address),
  pairingId,
  deviceId,
});

function open() {
  const clock = { time: 1_000_000 };
  const refused = new RefusedWork(LIMITS, { now: () => clock.time });
  return { clock, refused };
}

describe("[L9] refused work", () => {
  test("is free up to a budget, then its caller waits until it is a minute ago", () => {
    const { clock, refused } = open();
    for (let call = 0; call < 4; call += 1) {
      refused.judge(app("a"));
      refused.add(app("a"), 25);
      clock.time += 5000;
    }
    expect(() => refused.judge(app("a"))).toThrow(wait(40));
    refused.judge(app("b"));
    clock.time += 39_999;
    expect(() => refused.judge(app("a"))).toThrow(wait(1));
    clock.time += 1;
    refused.judge(app("a"));
    refused.add(app("a"), 25);
    expect(() => refused.judge(app("a"))).toThrow(wait(5));
    clock.time += 60_000;
    refused.judge(app("a"));
    expect(refused.spent).toBe(0);
  });

  test("counts for the computer and the address, too, with as many tokens as one likes", () => {
    const { refused } = open();
    for (const token of ["a", "b"]) refused.add(app(token, "device"), 99);
    refused.judge(app("c", "device"));
    refused.add(app("c", "device"), 2);
    expect(() => refused.judge(app("d", "device"))).toThrow(wait(60));
    refused.judge(app("d", "another"));
    refused.add(app("e"), 99);
    refused.add(app("f"), 99);
    refused.add(app("g"), 99);
    expect(() => refused.judge(app("h", "h"))).toThrow(wait(60));
    refused.judge(app("h", "h", "192.0.2.2"));
    expect(() => refused.judge(strangerAt("192.0.2.1"))).toThrow(wait(60));
  });

  test("of all together: who had nothing refused goes on, however much others spend", () => {
    const { refused } = open();
    for (let index = 0; index < 12; index += 1) {
      refused.add(app(`app ${index}`, `device ${index}`, `198.51.${index}.1`), 90);
    }
    expect(() => refused.judge(app("app 0", "device 0", "203.0.113.1"))).toThrow(wait(60));
    refused.judge(app("honest", "honest", "203.0.113.1"));
    refused.judge(strangerAt("203.0.113.2"));
  });

  test("of all together: new addresses of a network that has cost more than one address may wait, too", () => {
    const { refused } = open();
    for (let index = 0; index < 11; index += 1) refused.add(strangerAt(`192.0.2.${index}`), 91);
    expect(() => refused.judge(strangerAt("192.0.2.99"))).toThrow(wait(60));
    refused.judge(strangerAt("203.0.113.99"));
  });

  test("of a network counts only while much of the whole is spent", () => {
    const crowd = (all: number) => {
      const refused = new RefusedWork({ ...LIMITS, perAddress: 10, all }, { now: () => 0 });
      for (let index = 0; index < 16; index += 1) refused.add(strangerAt(`192.0.2.${index}`), 5);
      return () => refused.judge(strangerAt("192.0.2.99"));
    };
    expect(crowd(1000)).not.toThrow();
    expect(crowd(100)).toThrow(wait(60));
  });

  test("keeps no more sums than it has room for, and forgets none that counts", () => {
    const { clock, refused } = open();
    refused.add(app("first", "first", "2001:db8::1"), 100);
    for (let index = 0; index < 60_000; index += 1) {
      refused.add(strangerAt(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`), 1);
    }
    expect(() => refused.judge(app("first", "first", "2001:db8::2"))).toThrow(wait(60));
    clock.time += 60_000;
    refused.add(app("later"), 100);
    expect(() => refused.judge(app("later"))).toThrow(wait(60));
  });
});
