import { expect, it } from "vitest";
import { newImages } from "../../../../src/service/runtime/admission/images.ts";

it("compares tens of thousands of images in little time", () => {
  const pod = (from: number) => ({
    spec: {
      containers: Array.from({ length: 20_000 }, (_, each) => ({ name: "c", image: `web:${from + each}` })),
    },
  });
  const before = process.cpuUsage();
  const images = newImages({
    ...{ uid: "u", kind: { group: "", version: "v1", kind: "Pod" }, operation: "UPDATE" },
    ...{ object: pod(10_000), oldObject: pod(0) },
  });
  const { user } = process.cpuUsage(before);
  expect(images).toHaveLength(10_000);
  // Comparing each with each takes more than a second.
  expect(user / 1000).toBeLessThan(500);
});
