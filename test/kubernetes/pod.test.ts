import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { podEntry } from "../../src/api/resources/reports.ts";
import { NotAPod, reducePod } from "../../src/kubernetes/pod.ts";
import { sampleDigest, samplePod } from "./sample-pods.ts";

const A = "a".repeat(64);
const B = "b".repeat(64);

function container(name: string, image: string, digest: string, more: object = {}) {
  return { name, image, imageID: digest && `${image.split(":")[0]}@sha256:${digest}`, ...more };
}

function pod({
  metadata = {},
  spec = {},
  status = {},
}: {
  metadata?: object;
  spec?: object;
  status?: object;
} = {}) {
  return {
    metadata: { name: "web-1", namespace: "prod", creationTimestamp: "2026-05-28T20:26:40Z", ...metadata },
    spec,
    status: { phase: "Running", containerStatuses: [container("app", "reg/app:1", A)], ...status },
  };
}

function entryOf(value: unknown) {
  const reduction = reducePod(value);
  if (!("entry" in reduction)) throw new Error(`left out: ${reduction.leftOut}`);
  return reduction.entry;
}

describe("reported pods", () => {
  const waiting = (reason: string) => ({ state: { waiting: { reason } } });

  test.each([
    ["a running pod", pod()],
    [
      "a crash-looping pod",
      pod({ status: { containerStatuses: [container("app", "reg/app:1", A, waiting("CrashLoopBackOff"))] } }),
    ],
    ["a pod that is being deleted", pod({ metadata: { deletionTimestamp: "2026-05-28T20:27:00Z" } })],
    ["a static pod", pod({ metadata: { annotations: { "kubernetes.io/config.source": "file" } } })],
    ["a failed pod", pod({ status: { phase: "Failed" } })],
    ["an evicted pod that had started", pod({ status: { phase: "Failed", reason: "Evicted" } })],
  ])("include %s", (_, value) => {
    expect(entryOf(value).digests).toEqual({ "reg/app:1": A });
  });

  test.each([
    [
      "a pod that waits for a node",
      pod({ status: { phase: "Pending", containerStatuses: undefined } }),
      "Pending",
    ],
    [
      "a pod whose image cannot be pulled",
      pod({
        status: {
          phase: "Pending",
          containerStatuses: [container("app", "reg/app:1", "", waiting("ImagePullBackOff"))],
        },
      }),
      "Pending",
    ],
    ["a completed job", pod({ status: { phase: "Succeeded" } }), "Succeeded"],
    ["a pod on a lost node", pod({ status: { phase: "Unknown" } }), "Unknown"],
    ["a pod without a phase", pod({ status: { phase: undefined } }), "Unknown"],
    [
      "a pod evicted before it started",
      pod({ status: { phase: "Failed", reason: "Evicted", containerStatuses: undefined } }),
      "never started",
    ],
    [
      "a failed pod whose image never arrived",
      pod({ status: { phase: "Failed", containerStatuses: [container("app", "reg/app:1", "")] } }),
      "never started",
    ],
  ])("exclude %s", (_, value, leftOut) => {
    expect(reducePod(value)).toEqual({ leftOut });
  });

  test("include a running pod without a digest, with a warning", () => {
    const config = { name: "app", image: "app:local", imageID: `docker://sha256:${A}` };
    expect(reducePod(pod({ status: { containerStatuses: [config] } }))).toEqual({
      entry: { podName: "web-1", namespace: "prod", digests: {}, creationTimestamp: 1780000000, owners: [] },
      unknownImages: [{ container: "app", image: "app:local", imageID: config.imageID }],
    });
  });

  test("include a running pod with one image still being pulled, without that image", () => {
    const containerStatuses = [container("app", "reg/app:1", A), container("log", "reg/log:1", "")];
    const reduction = reducePod(pod({ status: { containerStatuses } }));
    expect(reduction).toMatchObject({
      entry: { digests: { "reg/app:1": A } },
      unknownImages: [{ container: "log", image: "reg/log:1", imageID: "" }],
    });
  });
});

describe("the images of a pod", () => {
  test("merge two containers of one image into one digest", () => {
    const containerStatuses = [container("a", "reg/app:1", A), container("b", "reg/app:1", A)];
    expect(entryOf(pod({ status: { containerStatuses } })).digests).toEqual({ "reg/app:1": A });
  });

  test("keep two digests under one name", () => {
    const containerStatuses = [
      container("a", "reg/app:1", A),
      container("b", "reg/app:1", B),
      container("c", "reg/app:1", A),
    ];
    expect(entryOf(pod({ status: { containerStatuses } })).digests).toEqual({
      "reg/app:1": A,
      [`reg/app:1@sha256:${B}`]: B,
    });
  });

  test("include sidecars, but no other init containers and no ephemeral ones", () => {
    const value = pod({
      spec: {
        initContainers: [{ name: "setup" }, { name: "mesh", restartPolicy: "Always" }],
        ephemeralContainers: [{ name: "debug" }],
      },
      status: {
        initContainerStatuses: [container("setup", "reg/setup:1", B), container("mesh", "reg/mesh:1", B)],
        ephemeralContainerStatuses: [container("debug", "reg/debug:1", B)],
      },
    });
    expect(entryOf(value).digests).toEqual({ "reg/app:1": A, "reg/mesh:1": B });
  });

  test("have the name in the container's spec where the runtime has only a digest", () => {
    const containerStatuses = [
      { name: "app", image: `sha256:${B}`, imageID: `docker.io/library/nginx@sha256:${A}` },
    ];
    const spec = {
      containers: [
        { name: "other", image: "busybox:1" },
        { name: "app", image: "nginx:1.27" },
      ],
    };
    expect(entryOf(pod({ spec, status: { containerStatuses } })).digests).toEqual({
      "docker.io/library/nginx:1.27": A,
    });
  });

  test("may have a JavaScript keyword as a name", () => {
    const containerStatuses = [{ name: "app", image: "__proto__", imageID: `x@sha256:${A}` }];
    expect(Object.entries(entryOf(pod({ status: { containerStatuses } })).digests)).toEqual([
      ["__proto__", A],
    ]);
  });
});

describe("the other fields of an entry", () => {
  test("include a report's owner fields only, and an absent flag stays absent", () => {
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "u" };
    const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: false, extra: 1 }, owner];
    expect(entryOf(pod({ metadata: { ownerReferences } })).owners).toEqual([
      { ...owner, controller: true, blockOwnerDeletion: false },
      owner,
    ]);
  });

  test.each([
    ["2026-05-28T20:26:40Z", 1780000000],
    ["2026-05-28T20:26:40.987654Z", 1780000000],
    ["2026-05-28T22:26:40+02:00", 1780000000],
  ])("%s is %i", (creationTimestamp, seconds) => {
    expect(entryOf(pod({ metadata: { creationTimestamp } })).creationTimestamp).toBe(seconds);
  });

  test("use the start time where the creation time is missing", () => {
    const value = pod({
      metadata: { creationTimestamp: null },
      status: { startTime: "2026-05-28T20:26:40Z" },
    });
    expect(entryOf(value).creationTimestamp).toBe(1780000000);
  });

  test.each([null, undefined, "", "yesterday", "5", "2026-99-99T00:00:00Z", 1780000000])(
    "reject a creation time of %j instead of sending NaN",
    (creationTimestamp) => {
      expect(() => reducePod(pod({ metadata: { creationTimestamp } }))).toThrow(NotAPod);
    },
  );
});

test.each([
  ["a deployment", { kind: "Deployment", metadata: { name: "a", namespace: "b" } }, "found Deployment"],
  ["a pod without a name", pod({ metadata: { name: undefined } }), "without metadata.name"],
  ["a pod without a namespace", pod({ metadata: { namespace: 7 } }), "without metadata.namespace"],
  ["null", null, "found null"],
  ["a list", [], "found a list"],
  ["text", "pod", "found string"],
])("reject %s", (_, value, message) => {
  expect(() => reducePod(value)).toThrow(message);
});

test("are valid for the service, whatever the pod", () => {
  const status = fc.record({
    phase: fc.constantFrom("Running", "Failed", "Pending", "Odd"),
    containerStatuses: fc.anything(),
    initContainerStatuses: fc.array(
      fc.record({ name: fc.string(), image: fc.anything(), imageID: fc.anything() }),
    ),
  });
  const metadata = fc.record({
    name: fc.constant("n"),
    namespace: fc.constant("s"),
    creationTimestamp: fc.constant("2026-05-28T20:26:40Z"),
    ownerReferences: fc.oneof(fc.anything(), fc.array(fc.anything())),
  });
  fc.assert(
    fc.property(fc.record({ metadata, spec: fc.anything(), status }), (value) => {
      const reduction = reducePod(value);
      if ("entry" in reduction) expect(z.safeParse(podEntry, reduction.entry).success).toBe(true);
    }),
  );
});

test("the sample pods resemble real ones", () => {
  expect(entryOf(samplePod(7))).toMatchObject({
    namespace: "team-7",
    digests: { "registry.example.com/team-7/service-7:1.7.0": sampleDigest(7) },
  });
  expect(JSON.stringify(samplePod(7)).length).toBeGreaterThan(9_000);
});
