import { tmpdir } from "node:os";
import { type AttestationInputs, attestationInputs, attestInputs } from "../../src/actions/attest/inputs.ts";
import { record } from "../../src/actions/attest/record.ts";
import { describeOrigin } from "../../src/actions/origin.ts";
import { describeBody } from "../../src/api/client/call.ts";
import { connect } from "../../src/api/client/connection.ts";
import { InputError } from "../../src/api/client/errors.ts";
import { type ActionContext, allInputs } from "../../src/github/step/action.ts";
import { readInputs } from "../../src/github/step/inputs.ts";
import { readRunner } from "../../src/github/step/runner.ts";
import type { ActionCall } from "./action-calls.ts";
import { withStandIns } from "./stand-ins.ts";

const SHA = "b".repeat(40);

/** A step outside of any job that sends nothing: each request is only checked against the API. */
const context: ActionContext = {
  runner: readRunner({
    GITHUB_SHA: SHA,
    GITHUB_REPOSITORY: "acme/web",
    GITHUB_RUN_ID: "77",
    GITHUB_WORKSPACE: tmpdir(),
  }),
  connection: connect({ apiKey: "key", org: "acme", region: "eu" }),
  signal: new AbortController().signal,
  dryRun: true,
  allowHttp: false,
  call: async (operation, request) => {
    await describeBody(operation, request);
    return undefined;
  },
  byInputs: (error) => Promise.resolve(error),
  mask: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

/** The API's errors for the request of a step, as far as they do not depend on files. */
export async function requestProblems({ where, action, texts, env }: ActionCall): Promise<string[]> {
  if (action === undefined) return [];
  const values = withStandIns(allInputs(action), texts);
  if (action.name === "attest") {
    const inputs = attestationInputs(readInputs(attestInputs, values, env).values);
    return inputs === undefined ? [] : attestationRequestProblems(where, inputs);
  }
  if (action.name !== "root" && action.name !== "set-flow-action") return [];
  const own = readInputs(action.inputs, values, env);
  const checked = await action.check(own.values, own.given);
  return problemsOf(where, async () => {
    if ("problems" in checked) throw new InputError(checked.problems);
    await action.run(checked.values, context);
  });
}

/** The problems of an attestation, of a step or of an entry of a manifest. */
export async function attestationRequestProblems(
  where: string,
  values: AttestationInputs,
): Promise<string[]> {
  const { kind, data, trail = SHA } = values;
  const isRead =
    ["test", "scan", "sbom", "provenance", "junit", "snyk", "pull_request", "jira", "sonar"].includes(kind) &&
    data === undefined;
  if (isRead || (data !== undefined && !/^\s*[{[]/.test(data))) return [];
  return problemsOf(where, async () => {
    const origin = await describeOrigin({ ...values, githubToken: undefined }, context);
    const fingerprint = "a".repeat(64);
    const none = { attachments: [], testResults: [], scanResults: [] };
    const rest = { fingerprint, trail, origin };
    return values.kind === "artifact"
      ? record({ kind: values.kind, values: { ...values, ...none }, ...rest }, context)
      : record({ kind: values.kind, values: { ...values, ...none }, ...rest }, context);
  });
}

async function problemsOf(where: string, work: () => Promise<unknown>): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    // Files that a page mentions do not exist here.
    return error.problems
      .filter(({ problem }) => !problem.includes("does not exist"))
      .map(({ input, problem }) => `${where}: ${input} ${problem}`);
  }
}
