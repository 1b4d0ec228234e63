import { FULL_DISK } from "./full-disk.ts";
import { LOST_SOUNDS } from "./lost-sounds.ts";
import { playFault } from "./play-fault.ts";
import { UNDELETABLE_FILE } from "./undeletable-file.ts";

playFault(FULL_DISK);
playFault(LOST_SOUNDS);
playFault(UNDELETABLE_FILE);
