import { expect, test } from "vitest";
import { ViewStore } from "../../core/view-store.ts";

test("a page's view changes in part, and its listeners hear of each change until they leave", () => {
  const first = { title: "Kit", isOpen: false };
  const store = new ViewStore(first);
  const heard: unknown[] = [];
  const leave = store.subscribe(() => heard.push(store.view));
  store.change({ isOpen: true });
  leave();
  store.change({ title: "Loop" });
  expect(heard).toEqual([{ title: "Kit", isOpen: true }]);
  expect(store.view).toEqual({ title: "Loop", isOpen: true });
  expect(first).toEqual({ title: "Kit", isOpen: false });
});
