import { testCrashesOfLive } from "./live-crashes.ts";

testCrashesOfLive((stops) => stops);
