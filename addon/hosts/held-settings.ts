import type { HeldSettings } from "./host.ts";

/** Settings as a host reads them back, undefined where it can't. */
export type Unsure<Settings> = { readonly [Key in keyof Settings]: Settings[Key] | undefined };

/** Leaves out what couldn't be read. */
export function onlyKnown(settings: Partial<Unsure<HeldSettings>>): Partial<HeldSettings> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
