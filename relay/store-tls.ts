import { addressSpaceOf } from "../core/protocol/judge-host.ts";

// What guards the way to PostgreSQL and S3 (rule SEC3).

const SSL_MODES: ReadonlySet<string> = new Set(["verify-full", "no-verify", "disable"]);
/** Words that some programs take for TLS without a check of the certificate, and pg for `verify-full`. */
const VAGUE_MODE = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;
const AMBIGUOUS = ["ssl", "uselibpqcompat"];

/**
 * Returns a database's address with its `sslmode` in words that mean one thing. Without one it is verified TLS, except on
 * this computer and in a private network.
 * @throws {Error} a requirement that doesn't show the address
 */
export function withSslMode(address: string): string {
  const plain = address.replace(VAGUE_MODE, "$1verify-full");
  const { searchParams } = new URL(plain);
  const mode = searchParams.get("sslmode");
  if (AMBIGUOUS.some((name) => searchParams.has(name)) || !SSL_MODES.has(mode ?? "disable")) {
    throw new Error("must say verify-full, no-verify or disable as its sslmode, and nothing else.");
  }
  if (mode !== null || isNear(databaseHostOf(plain))) return plain;
  return `${plain}${plain.includes("?") ? "&" : "?"}sslmode=verify-full`;
}

/** Checks whether sounds would cross networks of others without TLS. */
export function isOpenWay(endpoint: string): boolean {
  const { protocol, hostname } = new URL(endpoint);
  return protocol === "http:" && !isNear(hostname);
}

/** Returns a sentence for each way across networks of others that the settings leave open. */
export function openWays({
  databaseUrl,
  s3Endpoint = "https://s3.amazonaws.com",
  s3Tls,
}: {
  readonly databaseUrl: string | undefined;
  readonly s3Endpoint: string | undefined;
  readonly s3Tls: string;
}): readonly string[] {
  const isWeak = databaseUrl !== undefined && /[?&]sslmode=[nd]/.test(databaseUrl);
  const isFar = databaseUrl !== undefined && !isNear(databaseHostOf(databaseUrl));
  const isUnverified = s3Tls === "unverified" && !isNear(new URL(s3Endpoint).hostname);
  return [
    ...(isWeak && isFar ? ["SOUNDFERRY_DATABASE_URL lets others read and change records"] : []),
    ...(isUnverified || isOpenWay(s3Endpoint)
      ? ["SOUNDFERRY_S3_TLS lets others read and change sounds"]
      : []),
  ].map((fact) => `${fact} on their way: no certificate is checked.`);
}

/** The host as pg takes it; a path for a Unix socket. */
function databaseHostOf(address: string): string {
  const { hostname, searchParams } = new URL(address);
  return searchParams.get("host") || hostname || process.env["PGHOST"] || "localhost";
}

/** Checks whether a host is this computer or in a private network; its name may be one that only such a network knows. */
function isNear(host: string): boolean {
  return /^(?:\/|%2f)/i.test(host) || addressSpaceOf(host.toLowerCase()) !== undefined;
}
