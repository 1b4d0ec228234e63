import { STRETCH_PATH } from "../../core/protocol/stretch-path.ts";
import { readStretchModule } from "../../program/own-files.ts";
import { beginAnswer } from "./control-answer.ts";
import type { Route } from "./control-call.ts";

/** Serves the stretching module to the page (rule N10). It needs no secret: it is the same for everybody. */
export const STRETCH_ROUTE: Route = {
  method: "GET",
  path: STRETCH_PATH,
  isOpen: true,
  handle: async (call) => {
    const script = await readStretchModule();
    beginAnswer(call, 200, {
      "content-type": "text/javascript; charset=utf-8",
      "content-length": script.byteLength,
      // Every loop that is rendered loads it again.
      "cache-control": "private, max-age=3600",
      "cross-origin-resource-policy": "same-origin",
    });
    call.response.end(script);
  },
};
