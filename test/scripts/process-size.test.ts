import { expect, test } from "vitest";
import { halves } from "../../scripts/bench/process-size.ts";

const level = Array.from({ length: 10 }, () => ({ memory: 200, descriptors: 40 }));

test.each([
  ["without growth is level", level, true],
  ["with one large sample is level", level.with(8, { memory: 900, descriptors: 400 }), true],
  ["of more memory with time is not", level.map((size, at) => ({ ...size, memory: 200 + 10 * at })), false],
  [
    "of more descriptors with time is not",
    level.map((size, at) => ({ ...size, descriptors: 40 + 2 * at })),
    false,
  ],
])("a process %s", (_, sizes, isLevel) => {
  expect(halves(sizes).isLevel).toBe(isLevel);
});
