import type { LiveWorld } from "./live-world.ts";
import { sceneObject, slotObject } from "./track-objects.ts";

/**
 * Returns the object of a menu's handle.
 * @param kind the SDK's word for it, as `addon/extension/sdk-stand-in.ts` has it
 * @throws {Error} when the Set has no such thing
 */
export function objectOfHandle(world: LiveWorld, handle: unknown, kind: unknown): unknown {
  const { set } = world;
  const id = idOf(handle);
  if (kind === "Scene") {
    const scene = set.scenes.find((each) => each.id === id);
    if (scene !== undefined) return sceneObject(world, scene);
  }
  if (kind === "ClipSlot") {
    const slots = set.tracks.flatMap((track) => set.slotsOf(track));
    const slot = slots.find((each) => each.id === id);
    if (slot !== undefined) return slotObject(world, slot);
  }
  throw new Error(`There is no such ${String(kind)}.`);
}

function idOf(handle: unknown): unknown {
  return typeof handle === "object" && handle !== null && "id" in handle ? handle.id : undefined;
}
