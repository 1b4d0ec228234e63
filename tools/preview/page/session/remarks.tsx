import type { VNode } from "preact";

/** Remarks on a clip or a scene, each a paragraph. */
export function Remarks({ sentences }: { readonly sentences: readonly string[] }): VNode {
  return (
    <>
      {sentences.map((sentence) => (
        <p key={sentence} class="remark">
          {sentence}
        </p>
      ))}
    </>
  );
}
