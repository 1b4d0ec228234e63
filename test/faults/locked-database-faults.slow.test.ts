import { LOCKED_DATABASE } from "./locked-database.ts";
import { playFault } from "./play-fault.ts";

playFault(LOCKED_DATABASE);
