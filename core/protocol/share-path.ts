/** Path of the page's share target, relative to the page; also the search parameter by which the page learns of a failure. */
export const SHARE_PATH = "share";
