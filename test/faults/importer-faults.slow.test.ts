import { ANOTHER_RELAY } from "./another-relay.ts";
import { CUT_BODIES } from "./cut-bodies.ts";
import { LEFTOVERS } from "./leftovers.ts";
import { playFault } from "./play-fault.ts";

playFault(ANOTHER_RELAY);
playFault(CUT_BODIES);
playFault(LEFTOVERS);
