import { CONNECTION_OPTIONS, EXPIRES, SCOPE, WORKFLOW_ROLE_NAMES } from "./options.ts";
import { flag, list, text } from "./usage.ts";

const AT_FIRST_USE = { otherwise: "set at first use, within 24 hours" };

const JWKS = text("FILE", "Keys of the issuer, if the service cannot reach it", {
  otherwise: "read from the issuer",
});

/** Options of every system, around its own ones. */
function sharedOptions(jobs: string, subject: string, role: string) {
  return {
    ...SCOPE,
    all: flag("Give access to all flows and environments, as discovery of a cloud needs it"),
    role: text("ROLE", `Role of the ${jobs}`, { values: WORKFLOW_ROLE_NAMES, otherwise: role }),
    claim: list("NAME=VALUE", "Any other claim of the token"),
    name: text("NAME", "Name of the trust policy", { otherwise: `made from the ${subject}` }),
    description: text("TEXT", "Description"),
    expires: EXPIRES,
    ...CONNECTION_OPTIONS,
  };
}

const OF_PROJECT = { jwks: JWKS, ...sharedOptions("jobs", "project", "member") };

/** Commands that trust the jobs of a system. */
export function trustCommands(group: string, credentials: string) {
  const details = (more: string) =>
    `${more} Give --flow, --environment, or both; or --all. The operation explainTrust shows why a token does not match. ${credentials}`;
  return {
    "trust github": {
      group,
      summary: "Let workflows of a GitHub repository report without a key",
      args: ["OWNER/REPO"],
      options: {
        ref: list("REF", "Git ref: refs/heads/main, refs/tags/v*", { otherwise: "any" }),
        event: list("EVENT", "Event, such as push; pull_request only matches if it is named"),
        "github-environment": list("NAME", "GitHub environment of the job"),
        workflow: list("WORKFLOW", "Reusable workflow: OWNER/REPO/.github/workflows/FILE@REF"),
        "repository-id": text("ID", "ID of the repository", AT_FIRST_USE),
        "owner-id": text("ID", "ID of the owner", AT_FIRST_USE),
        issuer: text("URL", "Issuer of the tokens", { otherwise: "GitHub.com" }),
        ...sharedOptions("workflows", "repository", "member"),
      },
      details: details("OWNER/* trusts all repositories of an owner."),
      examples: [
        "trust github acme/web --flow web --environment production",
        "trust github 'acme/*' --flow web --ref refs/heads/main --role attester",
      ],
    },
    "trust gitlab": {
      group,
      summary: "Let jobs of a GitLab project report without a key",
      args: ["GROUP/PROJECT"],
      options: {
        ref: list("REF", "Full ref: refs/heads/main, refs/tags/v*", { otherwise: "any" }),
        source: list(
          "SOURCE",
          "Source of the pipeline, such as push; merge_request_event only matches if it is named",
        ),
        "gitlab-environment": list("NAME", "GitLab environment of the job"),
        pipeline: list("FILE", "Pipeline: gitlab.com/GROUP/PROJECT//FILE@REF"),
        "project-id": text("ID", "ID of the project", AT_FIRST_USE),
        "namespace-id": text("ID", "ID of the group", AT_FIRST_USE),
        issuer: text("URL", "Address of the GitLab instance", { otherwise: "https://gitlab.com" }),
        ...OF_PROJECT,
      },
      details: details("GROUP/* trusts the projects directly in a group."),
      examples: [
        "trust gitlab shop/web --flow web --ref refs/heads/main",
        "trust gitlab 'platform/*' --flow web --issuer https://gitlab.example.com",
      ],
    },
    "trust azure": {
      group,
      summary: "Let an Azure pipeline report without a key",
      args: ["ORGANIZATION/PROJECT/PIPELINE"],
      options: {
        "org-id": text("UUID", "ID of the organization, which its issuer contains", { required: true }),
        ref: list("REF", "Git ref, which is required: refs/heads/main, refs/tags/v*"),
        "project-id": text("UUID", "ID of the project", AT_FIRST_USE),
        "pipeline-id": text("ID", "ID of the pipeline (its definition)", AT_FIRST_USE),
        ...OF_PROJECT,
      },
      details: details(
        "The variable System.CollectionId of a run is the ID of the organization. Azure has one audience for all tokens, so the policy must name the refs.",
      ),
      examples: [
        "trust azure acme/web/build --org-id 0ca3ddd9-f0b0-4635-a98c-5866526961b6 --ref refs/heads/main --flow web",
      ],
    },
    "trust circleci": {
      group,
      summary: "Let jobs of a CircleCI project report without a key",
      args: ["HOST/OWNER/REPO"],
      options: {
        "org-id": text("UUID", "ID of the organization at CircleCI", { required: true }),
        ref: list("REF", "Git ref: refs/heads/main, refs/tags/v*", { otherwise: "any but pull requests" }),
        "project-id": text("UUID", "ID of the project at CircleCI", AT_FIRST_USE),
        "definition-id": text("UUID", "ID of the pipeline definition", { otherwise: "any" }),
        ...OF_PROJECT,
      },
      details: details("Builds of forks, and jobs that were rerun with SSH, are never trusted."),
      examples: [
        "trust circleci github.com/acme/web --org-id a64b0a19-f221-4291-b000-8d24bd842b72 --flow web",
      ],
    },
    "trust buildkite": {
      group,
      summary: "Let a Buildkite pipeline report without a key",
      args: ["ORGANIZATION/PIPELINE"],
      options: {
        branch: list("BRANCH", "Branch of the build: main, release/*", { otherwise: "any" }),
        step: list("KEY", "Key of the step", { otherwise: "any" }),
        "org-id": text("UUID", "ID of the organization", AT_FIRST_USE),
        "pipeline-id": text("UUID", "ID of the pipeline", AT_FIRST_USE),
        ...OF_PROJECT,
      },
      details: details("The creator of a build chooses its branch and commit."),
      examples: ["trust buildkite acme/deploy --branch main --flow web"],
    },
    "trust bitbucket": {
      group,
      summary: "Let pipelines of a Bitbucket repository report without a key",
      args: ["WORKSPACE/REPOSITORY"],
      options: {
        "repository-id": text("UUID", "UUID of the repository", { required: true }),
        branch: list("BRANCH", "Branch: main, release/*", { otherwise: "any" }),
        "deployment-id": text("UUID", "UUID of the deployment environment", { otherwise: "any" }),
        ...OF_PROJECT,
      },
      details: details(
        "Bitbucket's tokens have no names. The repository settings show the UUIDs under OpenID Connect.",
      ),
      examples: [
        "trust bitbucket acme/site --repository-id '{5f3c9a3e-b1ee-4f0a-9d2c-57d3d1a6a4e1}' --flow web",
      ],
    },
    "trust kubernetes": {
      group,
      summary: "Let a Kubernetes service account report without a key",
      args: ["NAMESPACE/SERVICE-ACCOUNT"],
      options: {
        issuer: text("URL", "Issuer of the cluster's tokens", { required: true }),
        jwks: JWKS,
        uid: text("UID", "UID of the service account", AT_FIRST_USE),
        ...sharedOptions("service account", "service account", "snapshotter"),
      },
      details: details(
        '"kubectl get --raw /.well-known/openid-configuration" prints the issuer, and "kubectl get --raw /openid/v1/jwks" its keys.',
      ),
      examples: [
        "trust kubernetes evidence/reporter --issuer https://oidc.example.com/id/1 --environment production",
      ],
    },
  } as const;
}
