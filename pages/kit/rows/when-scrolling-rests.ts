import { ScrollRest } from "./scroll-rest.ts";

const rest = new ScrollRest();
let isListening = false;

/** Does work once nothing on the page scrolls, a moment from now at the earliest. Returns a function that cancels it. */
export function whenScrollingRests(work: () => void): () => void {
  if (!isListening) {
    isListening = true;
    // Scroll events of elements don't bubble, but are captured.
    document.addEventListener("scroll", () => rest.scrolled(), { capture: true, passive: true });
  }
  return rest.onceResting(work);
}
