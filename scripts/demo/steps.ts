import type { SampleProject } from "./sample-project.ts";

/** A step of the demo's workflow, with its expected outcome. */
export interface DemoStep {
  readonly title: string;
  readonly action: string;
  readonly with: Readonly<Record<string, string>>;
  readonly outcome: "success" | "failure";
}

/**
 * The steps of a workflow that builds, attests, gates and reports. The last one causes a delivery to the webhook.
 *
 * @param receiver address of the webhook
 */
export function demoSteps({ fingerprint }: SampleProject, receiver: string): DemoStep[] {
  return [
    {
      title: "Begin a trail that requires a build and, for the artifact, unit tests",
      action: "begin-trail",
      with: { "flow-template-file": "evidence.yml", "flow-description": "How the greeter is delivered" },
      outcome: "success",
    },
    {
      title: "Report the artifact that was just built",
      action: "attest",
      with: { kind: "artifact", name: "app", artifact: "build/app.gz" },
      outcome: "success",
    },
    {
      title: "Gate: refuse the artifact, because evidence is missing",
      action: "assert-artifact",
      with: { artifact: "build/app.gz" },
      outcome: "failure",
    },
    {
      title: "Attest the unit tests, with the JUnit report and the log",
      action: "attest",
      with: {
        name: "app.unit-test",
        fingerprint,
        compliant: "success",
        attachments: "reports/junit.xml\nreports/*.log",
      },
      outcome: "success",
    },
    {
      title: "Attest the build",
      action: "attest",
      with: { name: "build", compliant: "true", "user-data": '{"tool": "gzip"}' },
      outcome: "success",
    },
    {
      title: "Gate: let the artifact pass",
      action: "assert-artifact",
      with: { artifact: "build/app.gz" },
      outcome: "success",
    },
    {
      title: "Report what runs in production",
      action: "report-env",
      with: { environment: "production", "pods-file": "pods.json", "create-environment": "true" },
      outcome: "success",
    },
    {
      title: "Notify the team of new attestations",
      action: "set-flow-action",
      with: {
        name: "tell-the-team",
        flows: "greeter",
        triggers: "ON_ATTESTATION",
        webhooks: receiver,
      },
      outcome: "success",
    },
    {
      title: "Attest the review, which notifies the team",
      action: "attest",
      // The template does not require a review.
      with: { name: "review", compliant: "true", "check-template": "false" },
      outcome: "success",
    },
  ];
}
