import type { Action } from "../github/step/action.ts";
import { CREDENTIALS, INTERRUPTED } from "./commands.ts";
import { optionsOf } from "./input-options.ts";
import { ACTION_OPTIONS } from "./options.ts";
import type { Command, Program } from "./program.ts";
import { parse } from "./usage.ts";

interface ActionCommand {
  readonly summary: string;
  readonly action: () => Promise<Action>;
  /** Exit statuses 0 and 1. */
  readonly statuses: string;
  readonly examples: readonly string[];
}

/** Commands that do what an action does. The action's inputs are the options, so no rule exists twice. */
const COMMANDS: Readonly<Record<string, ActionCommand>> = {
  "begin-trail": {
    summary: "Begin or update a trail, and its flow",
    action: async () => (await import("../actions/begin-trail.ts")).beginTrail,
    statuses: "0 on success; 1 on failure",
    examples: ["begin-trail --flow web --flow-description 'Our web shop'"],
  },
  attest: {
    summary: "Record an attestation on a trail or an artifact",
    action: async () => (await import("../actions/attest.ts")).attest,
    statuses: "0 if it is recorded; 1 on failure",
    examples: [
      "attest --flow web --name unit --kind test --test-results 'reports/**/*.xml'",
      "attest --flow web --name app --kind artifact --artifact dist/app.jar --artifact-type file",
    ],
  },
  gate: {
    summary: "Ask whether an artifact may be deployed",
    action: async () => (await import("../actions/assert-artifact.ts")).assertArtifact,
    statuses: "0 if the artifact is compliant; 1 if it is not, or on failure",
    examples: ["gate --fingerprint FINGERPRINT --environment production"],
  },
  evaluate: {
    summary: "Decide with a Rego policy, and record the decision",
    action: async () => (await import("../actions/evaluate.ts")).evaluate,
    statuses: "0 if the policy allows; 1 if it denies, or on failure",
    examples: [
      "evaluate --policy release.rego --trails web/v1.2 --control RELEASE-1",
      "evaluate --run-on service --policy-id release-approved --trails web/v1.2 --control RELEASE-1",
      "evaluate --policy policies/release --what-if web --control RELEASE-1",
    ],
  },
  report: {
    summary: "Report what runs in an environment",
    action: async () => (await import("../actions/report-env.ts")).reportEnv,
    statuses: "0 on success; 1 on failure",
    examples: [
      "report --environment production --type server --paths /srv/app",
      "report --environment functions --type lambda --aws-region eu-central-1 --include-regex '^shop-'",
      "report --config environments.yml --output json",
    ],
  },
  running: {
    summary: "Compare the commit to deploy with the one that runs",
    action: async () => (await import("../actions/running-commit.ts")).runningCommit,
    statuses: "0 on success; 1 on failure",
    examples: ["running --flow web --environment production --output json"],
  },
  comment: {
    summary: "Keep a comment with a trail's evidence on a pull request",
    action: async () => (await import("../actions/comment.ts")).comment,
    statuses: "0 on success; 1 on failure",
    examples: ["comment --flow web --pull-request 7"],
  },
};

export const ACTION_COMMANDS: Program = Object.fromEntries(
  Object.entries(COMMANDS).map(([name, definition]) => [name, commandFor(name, definition)]),
);

function commandFor(name: string, { summary, action, statuses, examples }: ActionCommand): Command {
  const group = "Report and gate";
  const definitionOf = ({ name: own, inputs, usedBy }: Action) => ({
    group,
    summary,
    args: [],
    options: { ...optionsOf(inputs, usedBy), ...ACTION_OPTIONS },
    details: `Does what the action ${own} does, on any CI system or machine. To negate a flag, use --no-NAME or --NAME=false. Messages go to standard error, the result to standard output. ${CREDENTIALS}`,
    statuses: `${statuses}; 2 if the result is unknown, for example because a service is unavailable; ${INTERRUPTED}`,
    examples,
  });
  return {
    group,
    summary,
    define: async () => definitionOf(await action()),
    async run(args, terminal) {
      const loaded = await action();
      const { values } = parse(args, name, definitionOf(loaded));
      return (await import("./action-command.ts")).runAsCommand(loaded, values, terminal);
    },
  };
}
