import type { VNode } from "preact";
import { secondsLeft, useNow } from "../use-now.ts";
import { saySpan } from "../../../core/page/say-span.ts";

interface TimeLeftProps {
  readonly spanSeconds: number;
  readonly readAtMs: number;
}

/** How long a package can still be imported. */
export function TimeLeft({ spanSeconds, readAtMs }: TimeLeftProps): VNode {
  const left = secondsLeft(spanSeconds, readAtMs, useNow(1000));
  return left > 0 ? <span>{saySpan(left)} left</span> : <span class="error">Expired</span>;
}
