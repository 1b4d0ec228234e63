import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { SentCard } from "./sent-card.tsx";
import type { SentItem } from "./sent-item.ts";

/** The packages sent from this page, newest first. */
export function SentList({ sent }: { readonly sent: readonly SentItem[] }): VNode | null {
  // Packages present when the page opens are not news.
  const known = useRef<ReadonlySet<string> | null>(null);
  known.current ??= new Set(sent.map(({ packageId }) => packageId));
  if (sent.length === 0) return null;
  return (
    <section class="column" aria-labelledby="sent">
      <h2 id="sent">Sent</h2>
      <ul class="column">
        {sent.map((item) => (
          <SentCard
            key={item.packageId}
            item={item}
            isNew={known.current?.has(item.packageId) === false}
          />
        ))}
      </ul>
    </section>
  );
}
