import type { StepRun } from "../composite/composite.ts";
import { RUNNING } from "./github.ts";
import { type Step, startJob } from "./job.ts";

/** One job as displayed on a run's page. */
export interface Scene {
  /** Name of its files in `docs/pictures`. */
  readonly name: string;
  readonly job: string;
  /** Errors on the run's page. */
  readonly errors: readonly string[];
  /** The job's summary in GitHub's Markdown. */
  readonly markdown: string;
}

/** Replaces the service's local URL. */
const ADDRESS = "https://evidence.example.com";
/** The artifact in production. */
const DEPLOYED = "c".repeat(64);

const POD = {
  metadata: { name: "web-1", namespace: "shop", creationTimestamp: "2026-11-20T09:30:00Z" },
  status: {
    phase: "Running",
    containerStatuses: [
      {
        ...{ name: "web", image: "registry.example.com/acme/web:1.2" },
        imageID: `registry.example.com/acme/web@sha256:${DEPLOYED}`,
      },
    ],
  },
};

const FILES = {
  "evidence.yml": `version: 1
trail:
  artifacts:
    - name: app
      attestations:
        - name: unit-test
          type: junit
        - name: sbom
          type: generic
`,
  "app.tgz": "what was built of the candidate",
  "reports/junit.xml": `<testsuites>
  <testsuite name="cart" tests="2" failures="0" time="0.42">
    <testcase name="sorts" classname="cart" time="0.3"/><testcase name="adds" classname="cart" time="0.12"/>
  </testsuite>
  <testsuite name="checkout" tests="1" failures="0" time="1.08">
    <testcase name="pays once" classname="checkout" time="1.08"/>
  </testsuite>
</testsuites>
`,
  "pods.json": JSON.stringify({ kind: "PodList", items: [POD] }),
};

/** Runs the actions on the embedded service, and collects their output. */
export async function makeScenes(): Promise<Scene[]> {
  await using job = await startJob(FILES);
  const { step, address } = job;
  const scenes = [
    scene("trail", "build", await build(step)),
    scene("gate-shut", "deploy", await askTheGate(step)),
    scene("approval-query", "query", await askForApproval(step)),
  ];
  return scenes.map((each) => ({
    ...each,
    errors: each.errors.map((text) => steady(text, address)),
    markdown: steady(each.markdown, address),
  }));
}

/** Removes what varies between runs: the service's URL and its ids. */
function steady(text: string, address: string): string {
  return text.replaceAll(address, ADDRESS).replace(/\?artifact_id=[0-9a-f-]+/g, "");
}

function scene(name: string, job: string, runs: readonly StepRun[]): Scene {
  const errors = runs.flatMap(({ annotations }) => annotations.filter(({ level }) => level === "error"));
  return {
    name,
    job,
    // The runner adds its own error for each failed step.
    errors: errors.map(({ message }) => message).filter((text) => !text.startsWith("Process completed")),
    markdown: runs.map(({ summary }) => summary.trim()).join("\n\n"),
  };
}

/** Returns only the test step. The earlier steps have their own summaries. */
async function build(step: Step): Promise<StepRun[]> {
  await step("begin-trail", { "flow-template-file": "evidence.yml" });
  await step("attest", { kind: "artifact", name: "app", artifact: "app.tgz" });
  return [await step("attest", { kind: "test", name: "app.unit-test", "test-results": "reports/*.xml" })];
}

/** The SBOM is recorded under a name that is not in the template. */
async function askTheGate(step: Step): Promise<StepRun[]> {
  await step("attest", { name: "app.sboms", compliant: "true" });
  return [await step("assert-artifact", { artifact: "app.tgz" })];
}

async function askForApproval(step: Step): Promise<StepRun[]> {
  const deployed = { fingerprint: DEPLOYED, commit: RUNNING, trail: RUNNING };
  await step("attest", { kind: "artifact", name: "app", ...deployed });
  const environment = "production";
  await step("report-env", { environment, "create-environment": "true", "pods-file": "pods.json" });
  return [await step("running-commit", { environment, "github-environment": environment })];
}
