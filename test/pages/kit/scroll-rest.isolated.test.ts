import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ScrollRest } from "../../../pages/kit/rows/scroll-rest.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

test("[X1] waits until nothing has scrolled for 120 ms", () => {
  const rest = new ScrollRest();
  const work = vi.fn();
  rest.onceResting(work);
  for (let n = 0; n < 10; n += 1) {
    vi.advanceTimersByTime(100);
    rest.scrolled();
  }
  vi.advanceTimersByTime(119);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1_000);
  expect(work).toHaveBeenCalledTimes(1);
});

test("[X1] does nothing for a row that is gone by then", () => {
  const rest = new ScrollRest();
  const work = vi.fn();
  const cancel = rest.onceResting(work);
  vi.advanceTimersByTime(100);
  rest.scrolled();
  vi.advanceTimersByTime(60);
  cancel();
  vi.advanceTimersByTime(1_000);
  expect(work).not.toHaveBeenCalled();
});
