import { SHARE_PATH } from "../../../core/protocol/share-path.ts";

/** The facts about a page's request by which its service worker decides. */
export interface PageRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** True if the browser opens the address as a page. */
  readonly isNavigation: boolean;
}

/**
 * Decides what the service worker does with a request (rule G22): it opens the `page`, takes a `file` of the page that has
 * the version in its path, or takes what another app `share`s. null: the request goes to the network, untouched.
 * @param scope the page's own address, with a slash at its end
 * @param version of the page
 */
export function judgeRequest(
  { method, url, isNavigation }: PageRequest,
  scope: string,
  version: string,
): "page" | "file" | "share" | null {
  const [address = ""] = url.split(/[?#]/, 1);
  if (!address.startsWith(scope)) return null;
  const path = address.slice(scope.length);
  if (method === "POST") return isNavigation && path === SHARE_PATH ? "share" : null;
  if (method !== "GET") return null;
  if (isNavigation) return path === "" ? "page" : null;
  return path.startsWith(`client-${version}/`) && address === url ? "file" : null;
}
