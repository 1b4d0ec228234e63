import type { VNode } from "preact";
import { secondsLeft, useNow } from "../use-now.ts";
import { formatSpan } from "../../../core/page/format-span.ts";

interface TimeLeftProps {
  readonly spanSeconds: number;
  readonly readAtMs: number;
}

/** The time until a package expires. */
export function TimeLeft({ spanSeconds, readAtMs }: TimeLeftProps): VNode {
  return <span>{formatSpan(secondsLeft(spanSeconds, readAtMs, useNow(1000)))} left</span>;
}
