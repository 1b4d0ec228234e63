import { createHash } from "node:crypto";
import type { StartHash } from "../../core/audio/running-hash.ts";

/** Starts a hash that is computed where it is called. */
export const hashHere: StartHash = () => {
  const running = createHash("sha256");
  return {
    update: (piece) => void running.update(piece),
    hex: async () => running.digest("hex"),
  };
};
