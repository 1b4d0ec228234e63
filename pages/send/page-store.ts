import { ViewStore } from "../../core/view-store.ts";
import { FIRST_VIEW, type PageView } from "./page-view.ts";

/** Holds what the page shows. */
export class PageStore extends ViewStore<PageView> {
  constructor() {
    super(FIRST_VIEW);
  }
}
