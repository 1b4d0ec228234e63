/** A call at a relay, without its token. */
export interface RelayCall {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body. Objects are sent as JSON, strings and bytes unchanged. */
  readonly body?: object | string | Uint8Array | undefined;
}

/**
 * The calls that trying a relay takes: register a computer, pair an app, send a package, remove it all. The conformance
 * kit and doctor send them in their own ways, and each judges the answers by its own rules.
 */
export const CALLS = {
  /** Needs no token. */
  register: (body: object, registrationKey?: string): RelayCall => ({
    method: "POST",
    path: "/importer/register",
    body,
    headers: registrationKey ? { "x-soundferry-registration-key": registrationKey } : {},
  }),
  /** Needs the computer's token. */
  newCode: (): RelayCall => ({ method: "POST", path: "/importer/pairing-code" }),
  /** Needs no token. */
  claim: (body: object | string): RelayCall => ({ method: "POST", path: "/pair/claim", body }),
  /** Needs the app's token, as all calls of a package do. */
  announce: (body: object | string, headers: RelayCall["headers"] = {}): RelayCall => ({
    method: "POST",
    path: "/packages",
    body,
    headers,
  }),
  upload: (path: string, body: Uint8Array): RelayCall => ({ method: "PUT", path, body }),
  commit: (id: string): RelayCall => ({ method: "POST", path: `${pathOfPackage(id)}/commit` }),
  withdraw: (id: string): RelayCall => ({ method: "DELETE", path: pathOfPackage(id) }),
  /** Revokes the app's token that it is sent with. */
  unpair: (): RelayCall => ({ method: "POST", path: "/app/unpair" }),
  /** Removes the computer whose token it is sent with, and all its apps and packages. */
  remove: (): RelayCall => ({ method: "DELETE", path: "/importer/me" }),
} as const;

export function pathOfPackage(id: string): string {
  // A lone surrogate can't be encoded.
  return `/packages/${encodeURIComponent(id.toWellFormed())}`;
}

export function pathOfFile(id: string, file: string): string {
  return `${pathOfPackage(id)}/files/${encodeURIComponent(file)}`;
}
