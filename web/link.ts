/**
 * A page's way to the program that serves it: `looking` until that answered for the first time, then `live` or
 * `lost` (it is tried again), or `refused` for good: the page's secret is of an earlier start.
 */
export type Link = "looking" | "live" | "lost" | "refused";
