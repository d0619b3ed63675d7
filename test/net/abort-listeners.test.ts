import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { onAbort } from "../../src/net/abort-listeners.ts";

test("callbacks of a signal share one listener, and only remaining ones are called", () => {
  const controller = new AbortController();
  const { signal } = controller;
  const called: string[] = [];
  const ignore = ["a", "b", "c", "d"].map((name) => onAbort(signal, () => called.push(name)));
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  ignore[1]?.();
  ignore[1]?.();
  ignore[3]?.();
  onAbort(signal, () => called.push("e"));
  controller.abort();
  expect(called.sort()).toEqual(["a", "c", "e"]);
});

test("a callback may remove others while all are called", () => {
  const controller = new AbortController();
  const called: string[] = [];
  const ignoreFirst = onAbort(controller.signal, () => {
    called.push("first");
    ignoreFirst();
  });
  onAbort(controller.signal, () => called.push("second"));
  controller.abort();
  expect(called).toEqual(["first", "second"]);
});

test("without callbacks, a signal has no listener, and can get one again", () => {
  const { signal } = new AbortController();
  onAbort(signal, () => {})();
  expect(getEventListeners(signal, "abort")).toEqual([]);
  onAbort(signal, () => {});
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
});
