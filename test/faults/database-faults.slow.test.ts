import { CHANGED_DATABASE } from "./changed-database.ts";
import { LOCKED_DATABASE } from "./locked-database.ts";
import { playFault } from "./play-fault.ts";
import { WRONG_DATABASE } from "./wrong-database.ts";

playFault(WRONG_DATABASE);
playFault(CHANGED_DATABASE);
playFault(LOCKED_DATABASE);
