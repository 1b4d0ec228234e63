import { onOneLine } from "../../core/text/shorten.ts";

/** Says in one line why a call was lost. OpenSSL's own words for a port without TLS are none. */
export function whyLost(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code: unknown = Reflect.get(error, "code");
  if (code === "EPROTO" || code === "ERR_SSL_WRONG_VERSION_NUMBER") {
    return "it doesn't support https.";
  }
  if (typeof code === "string" && code.startsWith("HPE_")) return "the answer isn't HTTP.";
  // One for each address of the host.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
  return first === undefined ? onOneLine(error.message).trim() : whyLost(first);
}
