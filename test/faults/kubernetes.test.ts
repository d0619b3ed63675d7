import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandNames } from "../actions/sent-attestations.ts";
import { httpServer, json } from "../api/local-server.ts";
import { cluster, failingKubectl, isAlive, kubectlOf, kubectlPrinting, noKubectl } from "./clusters.ts";
import { expectFailure, expectSuccess, runSample, runSampleBundle, sampleOf } from "./samples.ts";
import type { StepCall } from "./step.ts";

const reportEnv = sampleOf("report-env");
const DIGEST = "ab".repeat(32);
const CREATED = "2026-11-20T09:30:00Z";

/** Reports the output of a kubectl, and returns the step and the report's pods. */
async function report(
  kubectl: { env: Readonly<Record<string, string>> },
  call: Partial<StepCall> = {},
  by = runSample,
) {
  const server = await httpServer((response) =>
    json(response, 201, "Report processed successfully, snapshot #1 created"),
  );
  const inputs = { "pods-file": "", retries: "0", ...call.inputs };
  const step = await by(reportEnv, { ...call, baseUrl: server.url, inputs, env: kubectl.env });
  const [request] = server.received;
  const artifacts: unknown[] = request ? JSON.parse(request.body.toString()).artifacts : [];
  return { step, requests: server.received, artifacts };
}

const list = (...items: unknown[]) => ({ kind: "PodList", apiVersion: "v1", metadata: {}, items });

interface PodSketch {
  readonly name?: string;
  readonly phase?: string;
  readonly imageID?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

function pod({
  name = "web",
  phase = "Running",
  imageID = `reg.example/app@sha256:${DIGEST}`,
  ...rest
}: PodSketch = {}) {
  return {
    metadata: { name, namespace: "shop", uid: name, creationTimestamp: CREATED, ...rest.metadata },
    spec: { containers: [{ name: "app", image: "reg.example/app:1" }], ...rest.spec },
    status: {
      phase,
      containerStatuses: [{ name: "app", image: "reg.example/app:1", imageID }],
      ...rest.status,
    },
  };
}

describe("a cluster that cannot be read is never reported as empty:", () => {
  const failures: [
    title: string,
    kubectl: () => { env: Record<string, string> },
    messages: (string | RegExp)[],
    allowEmpty?: "true" | "false",
  ][] = [
    ["kubectl is absent", noKubectl, ["'kubectl', which was not found", "Install kubectl"]],
    [
      "the token has expired",
      () => failingKubectl("error: You must be logged in to the server (Unauthorized)\n"),
      ["kubeconfig:", "logged in to the server (Unauthorized)", "log in to the cluster in this job"],
    ],
    ["kubectl exits 0 and prints nothing", () => kubectlPrinting(""), ["was truncated or is not JSON"]],
    [
      "the list contains something other than pods",
      () => kubectlPrinting(list(pod(), { kind: "Node", metadata: { name: "n" } })),
      ["expected a Pod, found Node"],
    ],
    [
      "kubectl prints endlessly",
      () => kubectlOf("exec cat /dev/zero"),
      ["one page of the list of pods has more than 128 MB"],
    ],
    [
      "a page through the proxy is endless",
      () => cluster({ FAKE_PODS: "100", FAKE_FAULT: "endless page" }),
      ["one page of the list of pods has more than 128 MB"],
    ],
    [
      "the pages link back to an earlier one",
      () => cluster({ FAKE_PODS: "100", FAKE_FAULT: "same page again" }),
      ["links back to an earlier page"],
    ],
    [
      "the pages never end",
      () => cluster({ FAKE_PODS: "100", FAKE_FAULT: "no end" }),
      ["has not ended after 2000 pages"],
    ],
    [
      "no pod is found",
      () => kubectlPrinting(list()),
      ["allow-empty: is false, and no pod was found to report"],
      "false",
    ],
    ["kubectl is killed", () => kubectlOf("kill -9 $$"), ["the pods could not be read"]],
  ];

  test.each(failures)("%s", { timeout: 60_000 }, async (_, kubectl, messages, allowEmpty = "true") => {
    const program = kubectl();
    const inputs = { "on-unavailable": "warn", "allow-empty": allowEmpty };
    const { step, requests } = await report(program, { inputs });
    expectFailure(reportEnv, step, ...messages);
    expect(requests).toEqual([]);
    if ("noted" in program && program.noted instanceof Function) {
      const pids: string[] = program.noted("pids");
      await expect.poll(() => pids.filter(isAlive)).toEqual([]);
    }
  });

  test("its context is not in the kubeconfig, and the error lists those that are", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `team a/${index}`).join("\\n");
    const kubectl = kubectlOf(`
      if [ "$1 $2 $3" = 'config get-contexts --output=name' ]; then printf '${names}\\n'; exit; fi
      echo 'error: context "west" does not exist' >&2; exit 1`);
    const { step, requests } = await report(kubectl, { inputs: { context: "west" } });
    const held = "The kubeconfig has the contexts 'team a/0', 'team a/1', ";
    expectFailure(reportEnv, step, "context: the pods could not be read", held, "'team a/9' and 2 more.");
    expect(requests).toEqual([]);
  });

  test("kubectl waits for a login that never comes, and is stopped after two minutes", async () => {
    const { folder, env, noted } = kubectlOf('echo $$ >"$FAKE_STATE/pids"; exec sleep 600');
    const hurried = `--import=data:text/javascript,${encodeURIComponent(overOnce(join(folder, "pids")))}`;
    const { step, requests } = await report({ env: { ...env, NODE_OPTIONS: hurried } }, {}, runSampleBundle);
    expectFailure(reportEnv, step, "kubectl did not finish within 120 s", "Nothing was reported");
    expect(requests).toEqual([]);
    expect(noted("pids")).toHaveLength(1);
    expect(noted("pids").filter(isAlive)).toEqual([]);
  });
});

/** A program for the step, whose clock skips two minutes as soon as this file exists. */
function overOnce(path: string): string {
  return `
    import { existsSync } from "node:fs";
    const real = globalThis.setTimeout;
    globalThis.setTimeout = (act, milliseconds, ...given) => {
      if (milliseconds !== 120_000) return real(act, milliseconds, ...given);
      const looking = setInterval(() => {
        if (!existsSync(${JSON.stringify(path)})) return;
        clearInterval(looking);
        act(...given);
      }, 5);
      return looking;
    };`;
}

describe("a cluster is read in spite of", () => {
  const recoveries: [title: string, variables: Record<string, string>, call?: Partial<StepCall>][] = [
    ["overlapping pages: each pod is reported once", { FAKE_FAULT: "pages overlap" }],
  ];

  test.each(recoveries)("%s", async (_, variables) => {
    const kubectl = cluster({ FAKE_PODS: "100", ...variables });
    const { step, artifacts } = await report(kubectl, {}, runSampleBundle);
    expectSuccess(reportEnv, step);
    expect(artifacts).toHaveLength(100);
    expect(kubectl.noted("pids").filter(isAlive)).toEqual([]);
  });

  test("the absence of pods, when allow-empty is set", async () => {
    const { step, requests, artifacts } = await report(kubectlPrinting(list()), {
      inputs: { "allow-empty": "true" },
    });
    expectSuccess(reportEnv, step);
    expect([requests.length, artifacts]).toEqual([1, []]);
  });
});

describe("the pods of a cluster that are reported:", () => {
  const rows: [title: string, sketch: PodSketch, reported: boolean][] = [
    ["Running", {}, true],
    ["Pending", { phase: "Pending", imageID: "" }, false],
    [
      "ImagePullBackOff",
      {
        phase: "Pending",
        status: {
          containerStatuses: [
            { name: "app", imageID: "", state: { waiting: { reason: "ImagePullBackOff" } } },
          ],
        },
      },
      false,
    ],
    [
      "crash-looping",
      {
        status: {
          containerStatuses: [
            {
              name: "app",
              image: "reg.example/app:1",
              imageID: `r/i@sha256:${DIGEST}`,
              state: { waiting: { reason: "CrashLoopBackOff" } },
            },
          ],
        },
      },
      true,
    ],
    ["a finished job", { phase: "Succeeded" }, false],
    [
      "evicted before anything ran",
      { phase: "Failed", status: { reason: "Evicted", containerStatuses: [] } },
      false,
    ],
    ["failed", { phase: "Failed" }, true],
    [
      "a static pod without owners",
      { metadata: { annotations: { "kubernetes.io/config.source": "file" } } },
      true,
    ],
    ["being deleted", { metadata: { deletionTimestamp: CREATED } }, true],
    ["on a node that is unreachable", { phase: "Unknown" }, false],
  ];

  test("depend on their state", async () => {
    const pods = rows.map(([title, sketch]) =>
      pod({ ...sketch, name: title.replace(/\W+/g, "-").toLowerCase() }),
    );
    const { step, artifacts } = await report(kubectlPrinting(list(...pods)));
    expectSuccess(reportEnv, step);
    const wanted = rows
      .filter(([, , reported]) => reported)
      .map(([title]) => title.replace(/\W+/g, "-").toLowerCase());
    expect(artifacts.map((artifact) => Object(artifact).podName).sort()).toEqual(wanted.sort());
  });

  test("are distinguished even when a tool removed their identifiers", async () => {
    const uids = ["", "", {}, 7];
    const pods = uids.map((uid, number) => pod({ name: `p${number}`, metadata: { uid } }));
    const { artifacts } = await report(kubectlPrinting(list(...pods)));
    expect(artifacts).toHaveLength(4);
    const items = JSON.stringify(list(...pods));
    const file = await report(
      { env: {} },
      { inputs: { "pods-file": "pods.json" }, files: { "pods.json": items } },
    );
    expect(file.artifacts).toHaveLength(4);
  });
});

test("what kubectl prints is neutralized in the log, and its stdout never reaches it", async () => {
  const hostile = "::add-mask::shop\n::error::x\u001b[31m##[error]";
  const running = kubectlPrinting(
    list(pod({ name: hostile, imageID: "", metadata: { annotations: { a: hostile } } })),
    hostile,
  );
  const { step } = await report(running);
  expectSuccess(reportEnv, step);
  expect(commandNames(step.stdout)).toEqual(["warning", "debug"]);
  expect(step.stdout + step.summary).not.toContain("\u001b");

  const failed = await report(failingKubectl(`error: ${hostile}\n::stop-commands::t`));
  expectFailure(reportEnv, failed.step, "error: ");
  expect(commandNames(failed.step.stdout)).toEqual(["error"]);
});

test("10,000 pods of a file are one request of a few megabytes", { timeout: 60_000 }, async () => {
  const items = Array.from({ length: 10_000 }, (_, number) =>
    pod({ name: `p${number}`, metadata: { uid: `u${number}` } }),
  );
  const call = {
    inputs: { "pods-file": "pods.json" },
    files: { "pods.json": JSON.stringify(list(...items)) },
  };
  const { step, requests, artifacts } = await report({ env: {} }, call);
  expectSuccess(reportEnv, step);
  expect([requests.length, artifacts.length]).toEqual([1, 10_000]);
});
