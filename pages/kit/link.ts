/**
 * A page's connection to the program that serves it: `looking` until the first answer, then `live` or `lost`
 * (it retries), or `refused` for good: the page's secret is from an earlier start.
 */
export type Link = "looking" | "live" | "lost" | "refused";
