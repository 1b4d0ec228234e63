import { LAN_SENTENCES } from "../../protocol/lan-sentences.ts";
import { keyed } from "../keyed.ts";

/** The sentences about the local network (rule LAN1). In English they are the relay's own. */
export const LAN_TEXTS = keyed("run", LAN_SENTENCES);
