import { AUDIO_TARGETS } from "./audio-targets.ts";
import { fileTargets } from "./file-targets.ts";
import type { FuzzTarget } from "./fuzz-target.ts";
import { TEXT_TARGETS } from "./text-targets.ts";

export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  ...AUDIO_TARGETS,
  ...TEXT_TARGETS,
  ...fileTargets(),
];
