import type * as Audio from "../audio/index.ts";

/** Loads `@soundferry/client/audio`, which is as large as the element, once a sound needs it. */
export function loadAudio(): Promise<typeof Audio> {
  return import("../audio/index.ts");
}
