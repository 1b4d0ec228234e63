import { keepsPartials, type Missed, type Notification } from "../../../../relay/domain/ports.ts";
import type { NotifyingProcess } from "../notifier/notifier-contract.ts";
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

/** Step by which the faulty clock goes back, and the number of readings before it. */
const BACK_MS = 2;
const READINGS = 100;

/** Faults between processes. */
export const PROCESS_FAULTS: readonly (FaultOf<"notifier"> | FaultOf<"clock">)[] = [
  {
    name: "notification lost for ever",
    port: "notifier",
    does: "A process hears only what it notifies itself, and never that it missed something.",
    caughtBy: [
      "[J6] a notification reaches the other process, or it hears missed",
      "[J6] no notification is lost for ever among many",
    ],
    plant: (make) => async () => {
      const under = await make();
      return replacing(under, { open: opening(under, deaf) });
    },
  },
  {
    name: "time going back",
    port: "clock",
    does: `The time is ${BACK_MS} ms behind at each hundredth reading.`,
    caughtBy: ["[J3] the relay's time never goes back, and does not stand still"],
    plant: (make) => async () => {
      const under = await make();
      let readings = 0;
      return replacing(under, {
        open: opening(under, (clock) => ({
          now: () => {
            readings += 1;
            return clock.now() - (readings % READINGS === 0 ? BACK_MS : 0);
          },
        })),
      });
    },
  },
];

/** A process whose listeners hear something only while it notifies. */
function deaf({ notifier }: NotifyingProcess): Partial<NotifyingProcess> {
  let notifying = 0;
  return {
    notifier: replacing(notifier, {
      notify: async (topic, notification) => {
        notifying += 1;
        try {
          await notifier.notify(topic, notification);
        } finally {
          notifying -= 1;
        }
      },
      missed: () => {
        notifying += 1;
        notifier.missed();
        notifying -= 1;
      },
      listen: (topic, listener) =>
        notifier.listen(topic, (heard: Notification | Missed) => {
          if (notifying > 0) listener(heard);
        }),
    }),
  };
}
