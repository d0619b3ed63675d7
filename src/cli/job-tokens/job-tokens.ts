import { ApiError } from "../../api/client/errors.ts";
import { type TokenRequest, tokenRequest } from "../../github/step/token-request.ts";
import type { TokenSource } from "../../github/step/workflow-token.ts";
import { contentOf, type Environment, given } from "../usage.ts";

/** A job's way to prove its identity: GitHub's endpoint, or the source of another system. */
export type JobTokens = TokenRequest | TokenSource;

/** Source of the tokens of a job, by the variables that its system sets. Undefined outside of jobs. */
export function jobTokens(environment: Environment): JobTokens | undefined {
  return (
    tokenInFile(environment) ??
    onlyToken(given(environment, "EVIDENCE_ID_TOKEN"), GITLAB) ??
    tokenRequest({ ...environment }) ??
    azureTokens(environment) ??
    onlyToken(given(environment, "BITBUCKET_STEP_OIDC_TOKEN"), BITBUCKET) ??
    buildkiteTokens(environment) ??
    circleciTokens(environment)
  );
}

/** A token that a cluster projects into a pod, and replaces there. */
function tokenInFile(environment: Environment): TokenSource | undefined {
  const file = given(environment, "EVIDENCE_TOKEN_FILE");
  if (file === undefined) return undefined;
  return { takesAudience: false, token: () => contentOf(file, "the token of EVIDENCE_TOKEN_FILE") };
}

interface Requesting {
  readonly trust: string;
  /** The setting that requests a token for an audience. */
  readonly setting: (audience: string) => string;
}

const GITLAB: Requesting = {
  trust: "this project: delivery-evidence trust gitlab GROUP/PROJECT",
  setting: (audience) => `\`id_tokens: { EVIDENCE_ID_TOKEN: { aud: ${audience} } }\``,
};

const BITBUCKET: Requesting = {
  trust: "this repository: delivery-evidence trust bitbucket WORKSPACE/REPOSITORY --repository-id UUID",
  setting: (audience) => `\`oidc: { audiences: ["${audience}"] }\``,
};

/** The only token of a job, which its definition requests. */
function onlyToken(token: string | undefined, { trust, setting }: Requesting): TokenSource | undefined {
  if (token === undefined) return undefined;
  return {
    takesAudience: false,
    token: async () => token,
    repeatSecret: async (text) => (await import("./repeat-secret.ts")).repeatSecret(text),
    async explained(error, audience) {
      if (!(error instanceof ApiError)) return error;
      if (error.code === "auth.token_used")
        return error.explained({
          advice:
            "Each job has one token. Its commands share it through a file in the folder for temporary files: set TMPDIR to one folder for all of them.",
        });
      if (error.message.includes("for another audience"))
        return error.explained({ advice: `In the job, set ${setting(await audience())}.` });
      return explainedBy(trust)(error, audience);
    },
  };
}

function azureTokens(environment: Environment): TokenSource | undefined {
  const url = given(environment, "SYSTEM_OIDCREQUESTURI");
  const token = given(environment, "SYSTEM_ACCESSTOKEN");
  if (url === undefined || token === undefined) return undefined;
  const trust =
    "this pipeline: delivery-evidence trust azure ORGANIZATION/PROJECT/PIPELINE --org-id UUID --ref REF";
  return {
    takesAudience: false,
    token: async (_, asking) => (await import("./azure-token.ts")).azureToken({ url, token }, asking),
    explained: explainedBy(trust),
  };
}

function buildkiteTokens(environment: Environment): TokenSource | undefined {
  if (given(environment, "BUILDKITE_AGENT_ACCESS_TOKEN") === undefined) return undefined;
  return printed(environment, {
    program: "buildkite-agent",
    // Only with these claims are the ids in the token.
    argsFor: (audience) => [
      ...["oidc", "request-token", "--audience", audience, "--lifetime", "300"],
      ...["--claim", "organization_id", "--claim", "pipeline_id"],
    ],
    missing:
      "Cannot start buildkite-agent, which requests the token of this job: mount it into the container, or set EVIDENCE_API_KEY",
    trust: "this pipeline: delivery-evidence trust buildkite ORGANIZATION/PIPELINE",
  });
}

function circleciTokens(environment: Environment): TokenSource | undefined {
  if (given(environment, "CIRCLECI") !== "true") return undefined;
  return printed(environment, {
    program: "circleci",
    argsFor: (audience) => ["run", "oidc", "get", "--claims", JSON.stringify({ aud: audience })],
    missing:
      "Cannot start circleci, which requests the token of this job: run the command in a job of CircleCI, or set EVIDENCE_API_KEY",
    trust: "this project: delivery-evidence trust circleci github.com/OWNER/REPO --org-id UUID",
  });
}

interface Printed {
  readonly program: string;
  readonly argsFor: (audience: string) => readonly string[];
  readonly missing: string;
  readonly trust: string;
}

/** Tokens that a program of the system prints. */
function printed(environment: Environment, { argsFor, trust, ...asked }: Printed): TokenSource {
  return {
    takesAudience: true,
    async token(audience, { service }) {
      const { programToken } = await import("./program-token.ts");
      return service.within(({ signal }) =>
        programToken({ ...asked, args: argsFor(audience), environment, signal }),
      );
    },
    explained: explainedBy(trust),
  };
}

/** The trust policies of these systems name the issuer, so it is unknown as long as there is none. */
function explainedBy(trust: string): NonNullable<TokenSource["explained"]> {
  return async (error) =>
    (await import("../../github/step/workflow-token.ts")).untrusted(error, trust, "auth.issuer_untrusted");
}

/** The setting that gives a job of this system a token. Undefined outside of known systems. */
export function missingToken(environment: Environment): string | undefined {
  const audience = audienceFrom(environment);
  const ways: readonly (readonly [string, string])[] = [
    ["GITHUB_ACTIONS", "add `id-token: write` to the job's `permissions`"],
    ["GITLAB_CI", `add ${GITLAB.setting(audience)} to the job`],
    ["TF_BUILD", "add `env: { SYSTEM_ACCESSTOKEN: $(System.AccessToken) }` to the step"],
    ["BITBUCKET_BUILD_NUMBER", `add ${BITBUCKET.setting(audience)} to the step`],
    ["BUILDKITE", "pass BUILDKITE_AGENT_ACCESS_TOKEN and BUILDKITE_JOB_ID to this command"],
  ];
  return ways.find(([variable]) => given(environment, variable) !== undefined)?.[1];
}

function audienceFrom(environment: Environment): string {
  const url = given(environment, "EVIDENCE_BASE_URL")?.replace(/\/$/, "") ?? "https://evidence.example.com";
  return `${url}/${given(environment, "EVIDENCE_ORG") ?? "ORGANIZATION"}`;
}
