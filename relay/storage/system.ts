import { createHash, hash, randomBytes } from "node:crypto";
import type { Digest, RandomBytes } from "../domain/ports.ts";
import { SteadyClock } from "./steady-clock.ts";

/** The machine's clock, which never goes back. One for the process, so that all of it agrees. */
export const systemClock = new SteadyClock({
  wall: () => Date.now(),
  monotonic: () => performance.now(),
});

/** The operating system's random bytes. */
export const systemRandomBytes: RandomBytes = (count) => randomBytes(count);

/** SHA-256 by OpenSSL. */
export const systemDigest: Digest = {
  ofText: (text) => hash("sha256", text, "hex"),
  ofBytes: (bytes) => hash("sha256", bytes, "hex"),
  start: () => {
    const running = createHash("sha256");
    return {
      update: (piece) => void running.update(piece),
      hex: () => running.digest("hex"),
    };
  },
};
