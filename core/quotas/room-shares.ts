import { MAX_PACKAGE_BYTES, RELAY_DEFAULTS } from "../limits.ts";

/** Number of other apps for which an announcement leaves a place (rule L11). */
const PLACES = 3;
/** The most that a place has: two of the largest packages, and a fifth of the waiting ones. */
const PLACE_BYTES = 2 * MAX_PACKAGE_BYTES;
const PLACE_PACKAGES = 39;
/** The room of an app alone by default. It comes before the places of others. */
const OWN_BYTES = RELAY_DEFAULTS.bytesPerDevice - PLACES * PLACE_BYTES;
const OWN_PACKAGES = RELAY_DEFAULTS.waitingPackagesPerDevice - PLACES * PLACE_PACKAGES;

/** The use of a device's room by one app. */
export interface AppUse {
  readonly appId: string;
  /** Bytes of uploaded files that count, and of partials without reserved room. */
  readonly storedBytes: number;
  readonly reservedBytes: number;
  /** Packages that are committed, not reported, and not expired. */
  readonly waitingPackages: number;
}

/** The shares of a device's apps in its room. */
export interface Shares {
  readonly total: number;
  /** The room that is left for each of the three other apps that hold most. */
  readonly place: number;
}

/** The owner of the packages that fill a device's room: another app, the caller, or nobody where there are none. */
export type Filler = { readonly appId: string } | "caller" | "nobody";

/** Returns the shares of a device's bytes. */
export function sharesOfBytes(total: number): Shares {
  return sharesOf(total, OWN_BYTES, PLACE_BYTES);
}

/** Returns the shares of a device's waiting packages. */
export function sharesOfWaiting(total: number): Shares {
  return sharesOf(total, OWN_PACKAGES, PLACE_PACKAGES);
}

function sharesOf(total: number, own: number, most: number): Shares {
  const place = Math.floor((total - own) / PLACES);
  return { total, place: Math.max(0, Math.min(place, most)) };
}

/** Returns what is left for an app beside others; negative if they hold too much. */
export function leftFor({ total, place }: Shares, own: number, others: readonly number[]): number {
  return sizesOf(others, place).reduce((left, { taken }) => left - taken, total - own);
}

/** Returns how many more of an app's packages may wait. What another app committed beyond its share costs nobody. */
export function waitingLeft(
  total: number,
  {
    waitingPackages,
    others,
  }: Pick<AppUse, "waitingPackages"> & { readonly others: readonly AppUse[] },
): number {
  const shares = sharesOfWaiting(total);
  const most = total - PLACES * shares.place;
  const held = others.map((other) => Math.min(other.waitingPackages, most));
  return leftFor(shares, waitingPackages, held);
}

/** Finds the app whose packages leave the most room to the caller when they go. */
export function findFiller(
  { place }: Shares,
  own: number,
  others: readonly { readonly appId: string; readonly held: number }[],
): Filler {
  const sizes = sizesOf(
    others.map(({ held }) => held),
    place,
  );
  const { frees, at } = sizes.reduce((most, size) => (size.frees > most.frees ? size : most), {
    frees: own,
    at: -1,
  });
  if (frees <= 0) return "nobody";
  const appId = others[at]?.appId;
  return appId === undefined ? "caller" : { appId };
}

/** Lists what other apps take of the room, and how much of it they can leave. An empty place takes its size. */
function sizesOf(others: readonly number[], place: number) {
  const sorted = others.map((held, at) => ({ held, at })).sort((a, b) => b.held - a.held);
  while (sorted.length < PLACES) sorted.push({ held: 0, at: -1 });
  return sorted.map(({ held, at }, index) => {
    const least = index < PLACES ? place : 0;
    return { at, taken: Math.max(held, least), frees: Math.max(0, held - least) };
  });
}
