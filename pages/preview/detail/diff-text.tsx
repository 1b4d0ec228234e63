import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Refused } from "../../kit/refused.tsx";
import { useAction } from "../../kit/use-action.ts";

interface DiffTextProps {
  readonly title: string;
  /** The sentence for an empty diff. */
  readonly none: string;
  readonly diff: string;
  readonly fileName: string;
}

/** A unified diff, with buttons that copy and save it. */
export function DiffText({ title, none, diff, fileName }: DiffTextProps): VNode {
  const { begin, error } = useAction();
  const [copied, setCopied] = useState("");
  const copy = (): void => {
    begin(
      () => navigator.clipboard.writeText(diff),
      () => setCopied(diff),
    );
  };
  return (
    <section class="diff" aria-label={title}>
      <div class="diff-head">
        <h3>{title}</h3>
        <button type="button" disabled={diff === ""} aria-label={`Copy: ${title}`} onClick={copy}>
          {copied === diff && diff !== "" ? "Copied" : "Copy"}
        </button>
        <button
          type="button"
          disabled={diff === ""}
          aria-label={`Save: ${title}`}
          onClick={() => save(diff, fileName)}
        >
          Save
        </button>
        <Refused error={error} />
      </div>
      {diff === "" ? (
        <p class="quiet">{none}</p>
      ) : (
        // A scrollable area must be reachable by keyboard.
        <pre tabIndex={0} aria-label={title} role="group">
          {diff.split("\n").map((line, index) => (
            <span key={index} class={classOf(line)}>
              {line}
              {"\n"}
            </span>
          ))}
        </pre>
      )}
    </section>
  );
}

function classOf(line: string): string {
  if (/^(?:\+\+\+|---|@@)/.test(line)) return "quiet";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "";
}

function save(text: string, fileName: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/x-diff" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
}
