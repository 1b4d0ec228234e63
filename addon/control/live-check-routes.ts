import { withoutPaths } from "../../core/text/sentence-of.ts";
import type { Timers } from "../concurrency/timers.ts";
import type { LiveCheck } from "../runs/live-check.ts";
import { answerJson } from "./control-answer.ts";
import { ControlError, readObject, type Route } from "./control-call.ts";
import { type LineSource, streamLines } from "./stream-lines.ts";

/** The routes of “Check this Live” in the panel (rule H21). */
export function liveCheckRoutes(
  importer: { readonly live: { readonly check: LiveCheck } },
  deps: { readonly timers: Timers },
): readonly Route[] {
  const path = "/control/live/check";
  return [
    {
      method: "GET",
      path,
      handle: async (call) => {
        streamLines(call, sourceOf(importer.live.check), deps);
      },
    },
    {
      method: "POST",
      path,
      handle: async (call) => {
        if (!importer.live.check.begin()) throw new ControlError(409, "Live can't be checked now.");
        answerJson(call, 202, {});
      },
    },
    {
      method: "DELETE",
      path,
      handle: async (call) => {
        importer.live.check.cancel();
        answerJson(call, 200, {});
      },
    },
    {
      method: "POST",
      path: `${path}/answers/:id`,
      handle: async (call) => {
        const [id = ""] = call.parts;
        const { answer } = await readObject(call);
        const isCount = typeof answer === "number" && Number.isInteger(answer) && answer >= 0;
        if (!(isCount || answer === true || answer === null)) {
          throw new ControlError(400, "answer must be a whole number, true or null.");
        }
        if (!importer.live.check.answer(id, answer))
          throw new ControlError(404, "This isn't asked now.");
        answerJson(call, 200, {});
      },
    },
  ];
}

function sourceOf(check: LiveCheck): LineSource {
  return {
    read: () => ({
      ...check.state,
      error: check.state.error && withoutPaths(check.state.error),
    }),
    subscribe: (listener) => check.subscribe(listener),
  };
}
