/** Loads `@soundferry/client/audio`, which is as large as the element, once a sound needs it. */
export function loadAudio(): Promise<typeof import("../audio/index.ts")> {
  return import("../audio/index.ts");
}
