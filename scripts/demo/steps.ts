import type { SampleProject } from "./sample-project.ts";

/** A step of the demo's workflow: which action it uses, with what, and how it is meant to end. */
export interface DemoStep {
  readonly title: string;
  readonly action: string;
  readonly with: Readonly<Record<string, string>>;
  readonly outcome: "success" | "failure";
}

/**
 * What a workflow that builds, attests, gates and reports does, in order. The last step makes an event of which the
 * receiver is told.
 *
 * @param receiver the address of a webhook
 */
export function demoSteps({ fingerprint }: SampleProject, receiver: string): DemoStep[] {
  return [
    {
      title: "Begin a trail that wants a build and, for the artifact, unit tests",
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
      title: "Ask whether it may be deployed: not yet, evidence is missing",
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
      title: "Ask again: now it is compliant",
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
      title: "Have the team told of new attestations",
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
      title: "Attest the review, of which the team is told",
      action: "attest",
      // The template asks for no review.
      with: { name: "review", compliant: "true", "check-template": "false" },
      outcome: "success",
    },
  ];
}
