import type { SurfaceLook } from "./install/surface-look.ts";

/** Placeholder until the client of the control surface is merged: nothing is found. */
export async function lookAtControlSurface(_folders: readonly string[]): Promise<SurfaceLook> {
  return { kind: "absent" };
}
