import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandNames } from "../actions/sent.ts";
import { httpServer, json } from "../api/local-server.ts";
import { cluster, failingKubectl, isAlive, kubectlOf, kubectlPrinting, noKubectl } from "./clusters.ts";
import { expectFailure, expectSuccess, runSample, sampleOf } from "./samples.ts";
import { annotations, type StepCall } from "./step.ts";

const reportEnv = sampleOf("report-env");
const DIGEST = "ab".repeat(32);
const CREATED = "2026-11-20T09:30:00Z";

/** Reports what a kubectl tells; gives the step and the report's pods. */
async function report(kubectl: { env: Readonly<Record<string, string>> }, call: Partial<StepCall> = {}) {
  const server = await httpServer((response) =>
    json(response, 201, "Report processed successfully, snapshot #1 created"),
  );
  const inputs = { "pods-file": "", retries: "0", ...call.inputs };
  const step = await runSample(reportEnv, { ...call, baseUrl: server.url, inputs, env: kubectl.env });
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

describe("a cluster that cannot be read is never reported as one where nothing runs:", () => {
  const failures: [
    title: string,
    kubectl: () => { env: Record<string, string> },
    said: (string | RegExp)[],
    allowEmpty?: "true" | "false",
  ][] = [
    ["kubectl is absent", noKubectl, ["'kubectl', which is not there", "Install kubectl"]],
    [
      "the kubeconfig is absent",
      () => failingKubectl("error: stat /no/config: no such file or directory\n"),
      ["kubeconfig: the pods could not be read", "stat /no/config"],
    ],
    [
      "the token has expired",
      () => failingKubectl("error: You must be logged in to the server (Unauthorized)\n"),
      ["kubeconfig:", "logged in to the server (Unauthorized)", "log in to the cluster in this job"],
    ],
    [
      "the login plugin is absent",
      () =>
        failingKubectl(
          "Unable to connect to the server: getting credentials: exec: executable gke-gcloud-auth-plugin not found\n",
        ),
      ["kubeconfig:", "gke-gcloud-auth-plugin not found", "login plugin failed"],
    ],
    [
      "the list of all namespaces is forbidden",
      () =>
        failingKubectl(
          'Error from server (Forbidden): pods is forbidden: User "ci" cannot list resource "pods" in API group "" at the cluster scope\n',
        ),
      [
        "Grant the verb 'list' on the resource 'pods' at the cluster scope, or list in `namespaces` those it may read",
      ],
    ],
    [
      "page 7 of 10 fails every time",
      () => cluster({ FAKE_PODS: "100", FAKE_FAULT: "page 7 always" }),
      ["etcdserver: no leader", "Nothing was reported"],
    ],
    [
      "page 7 is forbidden",
      () => cluster({ FAKE_PODS: "100", FAKE_FAULT: "page 7 forbidden" }),
      ["pods is forbidden: changed"],
    ],
    [
      "the list expires whenever it is begun",
      () => cluster({ FAKE_PODS: "100", FAKE_FAULT: "expired always" }),
      ["token is too old"],
    ],
    [
      "kubectl exits 0 with an error in place of the list",
      () => kubectlPrinting({ kind: "Status", status: "Failure", code: 403 }),
      ["a list of pods was expected, not Status"],
    ],
    ["kubectl exits 0 and prints nothing", () => kubectlPrinting(""), ["broke off or was not JSON"]],
    [
      "kubectl prints a web page",
      () => kubectlPrinting("<html>Sign in</html>"),
      ["broke off or was not JSON"],
    ],
    [
      "kubectl prints half a list",
      () => kubectlPrinting(JSON.stringify(list(pod())).slice(0, -9)),
      ["broke off or was not JSON"],
    ],
    [
      "the list holds something other than pods",
      () => kubectlPrinting(list(pod(), { kind: "Node", metadata: { name: "n" } })),
      ["expected a Pod, found Node"],
    ],
    [
      "a pod has no name",
      () => kubectlPrinting(list(pod({ metadata: { name: "" } }))),
      ["an object without metadata.name"],
    ],
    [
      "a pod was created at no time at all",
      () => kubectlPrinting(list(pod({ metadata: { creationTimestamp: "soon" } }))),
      ["metadata.creationTimestamp is not a time"],
    ],
    [
      "kubectl prints without end",
      () => kubectlOf("exec cat /dev/zero"),
      ["one page of the list of pods has more than 128 MB"],
    ],
    [
      "a page through the proxy has no end",
      () => cluster({ FAKE_PODS: "100", FAKE_FAULT: "endless page" }),
      ["one page of the list of pods has more than 128 MB"],
    ],
    [
      "the pages lead back to one that was read",
      () => cluster({ FAKE_PODS: "100", FAKE_FAULT: "same page again" }),
      ["leads back to a page it has given already"],
    ],
    [
      "the pages go on for ever",
      () => cluster({ FAKE_PODS: "100", FAKE_FAULT: "no end" }),
      ["has not ended after 2000 pages"],
    ],
    [
      "no pod is found",
      () => kubectlPrinting(list()),
      ["allow-empty: is false, and no pod was found to report"],
      "false",
    ],
    [
      "all that is found has ended",
      () => kubectlPrinting(list(pod({ phase: "Succeeded" }))),
      ["no pod was found to report"],
      "false",
    ],
    ["kubectl is killed", () => kubectlOf("kill -9 $$"), ["the pods could not be read"]],
  ];

  test.each(failures)("%s", { timeout: 60_000 }, async (_, kubectl, said, allowEmpty = "true") => {
    const made = kubectl();
    const inputs = { "on-unavailable": "warn", "allow-empty": allowEmpty };
    const { step, requests } = await report(made, { inputs });
    expectFailure(reportEnv, step, ...said);
    expect(requests).toEqual([]);
    if ("noted" in made && made.noted instanceof Function) {
      const pids: string[] = made.noted("pids");
      expect(pids.filter(isAlive)).toEqual([]);
    }
  });

  test("its context is not in the kubeconfig, which is told with the names that are", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `team a/${index}`).join("\\n");
    const kubectl = kubectlOf(`
      if [ "$1 $2 $3" = 'config get-contexts --output=name' ]; then printf '${names}\\n'; exit; fi
      echo 'error: context "west" does not exist' >&2; exit 1`);
    const { step, requests } = await report(kubectl, { inputs: { context: "west" } });
    const held = "The kubeconfig holds 'team a/0', 'team a/1', ";
    expectFailure(reportEnv, step, "context: the pods could not be read", held, "'team a/9' and 2 more.");
    expect(requests).toEqual([]);
  });

  test("kubectl waits for a login that nobody gives, and is ended after two minutes", async () => {
    const { folder, env, noted } = kubectlOf('echo $$ >"$FAKE_STATE/pids"; exec sleep 600');
    const hurried = `--import=data:text/javascript,${encodeURIComponent(overOnce(join(folder, "pids")))}`;
    const { step, requests } = await report({ env: { ...env, NODE_OPTIONS: hurried } });
    expectFailure(reportEnv, step, "kubectl did not end within 120 s", "Nothing was reported");
    expect(requests).toEqual([]);
    expect(noted("pids")).toHaveLength(1);
    expect(noted("pids").filter(isAlive)).toEqual([]);
  });
});

/** A program for the step: to its clock two minutes are over as soon as there is such a file. */
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
    ["a page that fails once", { FAKE_FAULT: "page 7 once" }],
    ["a page that is cut once", { FAKE_FAULT: "cut once" }],
    ["half a page once", { FAKE_FAULT: "half once" }],
    ["a list that expires once, which begins again", { FAKE_FAULT: "expired once" }],
    ["pages that overlap: each pod is reported once", { FAKE_FAULT: "pages overlap" }],
    ["a server below a path", { FAKE_FAULT: "below a path" }],
  ];

  test.each(recoveries)("%s", async (_, variables) => {
    const kubectl = cluster({ FAKE_PODS: "100", ...variables });
    const { step, artifacts } = await report(kubectl);
    expectSuccess(reportEnv, step);
    expect(artifacts).toHaveLength(100);
    expect(kubectl.noted("pids").filter(isAlive)).toEqual([]);
  });

  test("no right to list all namespaces, one by one", async () => {
    const kubectl = cluster({ FAKE_PODS: "20" });
    const { step, artifacts } = await report(kubectl, { inputs: { namespaces: "a, b" } });
    expectSuccess(reportEnv, step);
    expect(artifacts).toHaveLength(40);
    expect(new Set(kubectl.noted("requests").map((line) => line.replace(/\?.*/, "")))).toEqual(
      new Set(
        ["a", "b"]
          .flatMap((name) => [`get /api/v1/namespaces/${name}/pods`, `proxy /api/v1/namespaces/${name}/pods`])
          .filter((line) => line !== "get /api/v1/namespaces/b/pods"),
      ),
    );
  });

  test("there being no pods, when that is allowed", async () => {
    const { step, requests, artifacts } = await report(kubectlPrinting(list()), {
      inputs: { "allow-empty": "true" },
    });
    expectSuccess(reportEnv, step);
    expect([requests.length, artifacts]).toEqual([1, []]);
  });
});

describe("which pods of a cluster are reported:", () => {
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
    ["of a node that is not heard of", { phase: "Unknown" }, false],
  ];

  test("by what it is doing", async () => {
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

  test("with the digest of an image where its ID holds one, and never a wrong one", async () => {
    const known = [
      `docker-pullable://r/i@sha256:${DIGEST}`,
      `r/i@sha256:${DIGEST}`,
      `r/i@sha256:${DIGEST.toUpperCase()}`,
    ];
    const unknown = [
      "",
      DIGEST,
      `sha256:${DIGEST}`,
      `docker://sha256:${DIGEST}`,
      `r/i@sha256:${DIGEST.slice(1)}`,
      `r/i@sha512:${DIGEST}${DIGEST}`,
      "abc",
      `r/i@sha256:${DIGEST}00`,
    ];
    const pods = [...known, ...unknown].map((imageID, number) => pod({ name: `p${number + 10}`, imageID }));
    const { step, artifacts } = await report(kubectlPrinting(list(...pods)));
    expectSuccess(reportEnv, step);
    expect(artifacts.map((artifact) => Object(artifact).digests)).toEqual([
      ...known.map(() => ({ "reg.example/app:1": DIGEST })),
      ...unknown.map(() => ({})),
    ]);
    expect(annotations(step.stdout, "warning")).toHaveLength(unknown.length);
  });

  test("with owners as they are, a whole number of seconds, and of containers only those that run", async () => {
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "1" };
    const many = Array.from({ length: 1000 }, (_, number) => ({
      name: `c${number}`,
      image: `reg.example/app:${number}`,
      imageID: `r/i@sha256:${number.toString(16).padStart(64, "0")}`,
    }));
    const { artifacts } = await report(
      kubectlPrinting(
        list(
          pod({
            metadata: {
              ownerReferences: [owner, { ...owner, controller: false }],
              creationTimestamp: "2026-11-20T09:30:00.9Z",
            },
          }),
          pod({
            name: "z",
            spec: {
              initContainers: [{ name: "wait" }, { name: "proxy", restartPolicy: "Always", image: "mesh:1" }],
            },
            status: {
              containerStatuses: many,
              initContainerStatuses: ["wait", "proxy"].map((name) => ({
                name,
                image: `mesh/${name}:1`,
                imageID: `m@sha256:${DIGEST}`,
              })),
              ephemeralContainerStatuses: [
                { name: "debug", image: "busybox:1", imageID: `b@sha256:${DIGEST}` },
              ],
            },
          }),
        ),
      ),
    );
    expect(artifacts[0]).toMatchObject({
      owners: [owner, { ...owner, controller: false }],
      creationTimestamp: Date.parse(CREATED) / 1000,
    });
    expect(Object.keys(Object(artifacts[0]).owners[0])).not.toContain("controller");
    const images = Object.keys(Object(artifacts[1]).digests);
    expect(images).toHaveLength(1001);
    expect(images).toContain("mesh/proxy:1");
  });

  test("each by itself, though a tool has blanked what tells them apart", async () => {
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

test("what kubectl prints reaches the log inert, and nothing that it prints to stdout does", async () => {
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

test("a report that the service finds too large is sent once, and explained", async () => {
  const server = await httpServer((response) =>
    json(response, 413, { message: "the body is 74 MB; the limit is 64 MB" }),
  );
  const { env } = cluster({ FAKE_PODS: "10" });
  const step = await runSample(reportEnv, { baseUrl: server.url, env, inputs: { "pods-file": "" } });
  expectFailure(
    reportEnv,
    step,
    /^the body is 74 MB; the limit is 64 MB \(.*, status 413\)/,
    "Send less at a time, or raise",
  );
  expect(server.received).toHaveLength(1);
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
