import { RUN_REASONS, RUN_STEPS, RUN_WORDS } from "../../protocol/run-parts.ts";
import { keyed } from "../keyed.ts";

/** The parts of those sentences. */
export const RUN_PARTS = {
  ...keyed("step", RUN_STEPS),
  ...keyed("reason", RUN_REASONS),
  ...keyed("word", RUN_WORDS),
  "word.comma": ", ",
};
