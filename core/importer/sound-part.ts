/** The part of a sound that an answer has. */
export interface SoundPart {
  readonly startByte: number;
  /** undefined where the answer doesn't say. */
  readonly bodyBytes: number | undefined;
}

/**
 * Returns the part of a sound that an answer has; undefined for one that isn't the sound, such as a page (rule I6).
 * @param header returns the header of a lowercase name
 */
export function soundPartIn(
  status: number | undefined,
  header: (name: string) => string | null | undefined,
): SoundPart | undefined {
  const isText = /^(text\/|application\/(json|xhtml))/i.test(header("content-type") ?? "");
  const isEncoded = (header("content-encoding") ?? "identity") !== "identity";
  if (isText || isEncoded) return undefined;
  const length = header("content-length") ?? undefined;
  const bodyBytes = length === undefined ? undefined : Number(length);
  if (status === 200) return { startByte: 0, bodyBytes };
  return status === 206 ? rangeIn(header("content-range") ?? "", bodyBytes) : undefined;
}

/** Returns undefined for a range that makes no sense. */
function rangeIn(range: string, length: number | undefined): SoundPart | undefined {
  const [, first, last] = /^bytes (\d+)-(\d+)\/(?:\d+|\*)$/.exec(range) ?? [];
  const [startByte, bodyBytes] = [Number(first), Number(last) - Number(first) + 1];
  if (!(bodyBytes > 0) || (length ?? bodyBytes) !== bodyBytes) return undefined;
  return { startByte, bodyBytes };
}
