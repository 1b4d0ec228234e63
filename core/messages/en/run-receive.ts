import { RECEIVE_SENTENCES } from "../../protocol/receive-sentences.ts";
import { keyed } from "../keyed.ts";

/** The sentences of an importer in a browser. In English they are its own. */
export const RUN_RECEIVE = keyed("run", RECEIVE_SENTENCES);
