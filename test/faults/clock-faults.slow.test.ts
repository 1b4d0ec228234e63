import { playFault } from "./play-fault.ts";
import { WRONG_CLOCK } from "./wrong-clock.ts";

playFault(WRONG_CLOCK);
