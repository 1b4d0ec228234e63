import { RUN_SENTENCES } from "../../protocol/run-sentences.ts";
import { keyed } from "../keyed.ts";

/** The sentences of imports (rule N28). In English they are the importer's own. */
export const RUN_TEXTS = keyed("run", RUN_SENTENCES);
