/**
 * Formats an answer for a connection on which there is no response object. The connection ends after it.
 * @param status with its phrase, such as `400 Bad Request`
 * @param headers its `content-length`, in bytes, among them
 */
export function formatRawAnswer(
  status: string,
  headers: Readonly<Record<string, string | number>>,
  body: string,
): string {
  const lines = Object.entries({ ...headers, connection: "close" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${status}\r\n${head}\r\n${body}`;
}
