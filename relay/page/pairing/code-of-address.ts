/** The pairing code in the page's address after `#`, as in `#code=K7MQ2X`; null if there is none. */
export function codeOfAddress(hash: string): string | null {
  const code = new URLSearchParams(hash.replace(/^#/, "")).get("code")?.trim() ?? "";
  return code === "" ? null : code;
}
