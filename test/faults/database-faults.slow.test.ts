import { CHANGED_DATABASE } from "./changed-database.ts";
import { playFault } from "./play-fault.ts";
import { WRONG_DATABASE } from "./wrong-database.ts";

playFault(WRONG_DATABASE);
playFault(CHANGED_DATABASE);
