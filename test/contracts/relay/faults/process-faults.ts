import type { Missed, Notification } from "../../../../relay/domain/ports.ts";
import type { NotifyingProcess } from "../notifier/notifier-contract.ts";
import { type FaultOf, opening, replacing } from "./planted-fault.ts";

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
