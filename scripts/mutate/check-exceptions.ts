/** The one form in which a line may be left out: what is not changed there, and why. */
const WITH_REASON = /^\s*\/\/ Stryker disable next-line [\w, ]+: \S+( \S+){2,}/;

/**
 * The lines that leave something out of the changes without the one form
 * `// Stryker disable next-line <mutators>: <reason in words>`.
 * @returns such as `core/a.ts:12: // Stryker disable all`
 */
export function findBareExceptions(file: string, text: string): readonly string[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      /Stryker\s+(?:disable|restore)/.test(line) && !WITH_REASON.test(line)
        ? [`${file}:${index + 1}: ${line.trim()}`]
        : [],
    );
}
