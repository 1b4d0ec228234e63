import type { VNode } from "preact";

/** Notes on a sound or a package, each a paragraph. */
export function Notes({ sentences }: { readonly sentences: readonly string[] }): VNode {
  return (
    <>
      {sentences.map((sentence) => (
        <p key={sentence} class="note">
          {sentence}
        </p>
      ))}
    </>
  );
}
