import type { ComponentChildren, VNode } from "preact";

interface SlotProps {
  readonly name: string;
  /** Every text that the slot can show: it has the room of the longest, also while it is empty. */
  readonly words: readonly string[];
  readonly children?: ComponentChildren;
}

/** A place for one button or result. Its size depends on the language alone, so nothing around it moves (rule N21). */
export function Slot({ name, words, children }: SlotProps): VNode {
  return (
    <div class={`slot ${name}`}>
      {words.map((text) => (
        <span key={text} class="slot-room" data-words={text} aria-hidden="true" />
      ))}
      {children}
    </div>
  );
}
