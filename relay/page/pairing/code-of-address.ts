/** The pairing code that stands behind the `#` of the page's address, as `#code=K7MQ2X`; null without one. */
export function codeOfAddress(hash: string): string | null {
  const code = new URLSearchParams(hash.replace(/^#/, "")).get("code")?.trim() ?? "";
  return code === "" ? null : code;
}
