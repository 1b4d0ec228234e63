/** What the app does when it is started without a subcommand. */
const START = ["up", "--host", "live", "--open"];

/** Options that belong to the command itself. */
const OF_THE_COMMAND = new Set(["-h", "--help", "-V", "--version"]);

/**
 * The words that the app runs: without a subcommand it starts everything and opens the panel (rule K7).
 * @param words as it was started with
 */
export function appWords(words: readonly string[]): readonly string[] {
  const [first] = words;
  const isOwn = first !== undefined && (!first.startsWith("-") || OF_THE_COMMAND.has(first));
  return isOwn ? words : [...START, ...words];
}
