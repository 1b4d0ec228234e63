import { keepsPartials } from "../../../../relay/domain/ports.ts";
import { type FaultOf, opening, replacing } from "./planted-fault.ts";

/** Faults of a database whose keys may be those of files that are sent in several calls. */
export const PARTIALS_FAULTS: readonly FaultOf<"partials">[] = [
  {
    name: "partials end with the process",
    port: "partials",
    does: "A start dooms partials like every pending key: what came of a file is lost.",
    caughtBy: ["[J2][U10] a partial is doomed at its own end, which may be a later one"],
    plant: (make) => async () => {
      const under = await make();
      const open = opening(under, ({ soundKeys }) => ({
        soundKeys: replacing(soundKeys, { doomPending: (time) => soundKeys.doomPending(time) }),
      }));
      return replacing(under, { open });
    },
  },
  {
    name: "uncounted parts",
    port: "partials",
    does: "Bytes that came of a file don't count for their address until the file is whole.",
    caughtBy: ["[L4][U10] its bytes count for their address's day as they come"],
    plant: (make) => async () => {
      const under = await make();
      const open = opening(under, ({ soundKeys }) => {
        if (!keepsPartials(soundKeys)) return {};
        const keepPartial: typeof soundKeys.keepPartial = (partial) =>
          soundKeys.keepPartial({ ...partial, received: { ...partial.received, bytes: 0 } });
        return { soundKeys: replacing(soundKeys, { keepPartial }) };
      });
      return replacing(under, { open });
    },
  },
];
