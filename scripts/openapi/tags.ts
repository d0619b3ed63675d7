import type { OperationShape } from "../../src/api/operation.ts";

export interface Tag {
  readonly name: string;
  readonly description: string;
  /** The first path segments of the operations in this group. */
  readonly paths: readonly string[];
}

/** Groups of operations, in reading order. */
export const TAGS: readonly Tag[] = [
  {
    name: "Flows",
    description:
      "A flow is one way to deliver software, such as the pipeline of a service. It contains trails. Its template lists the artifacts and attestations that each trail needs.",
    paths: ["flows"],
  },
  {
    name: "Trails",
    description:
      "A trail collects the evidence of one change, usually one commit. Its state compares what was recorded with the template.",
    paths: ["trails"],
  },
  {
    name: "Artifacts",
    description:
      "An artifact is something that was built, identified by its sha256 fingerprint. Report it to a trail, then attest to it.",
    paths: ["artifacts"],
  },
  {
    name: "Builds",
    description:
      "A build is the first report of an artifact. Further reports of its fingerprint are no builds.",
    paths: ["builds"],
  },
  {
    name: "Attestations",
    description:
      "An attestation is a statement about a trail or an artifact, with a compliant flag, files, and the commit it refers to. Each type has its own operation. Attesting to a flow or trail that does not exist creates it.",
    paths: ["attestations"],
  },
  {
    name: "Custom attestation types",
    description:
      "A custom attestation type adds a JSON Schema and jq rules that the service evaluates for each attestation of the type.",
    paths: ["custom-attestation-types"],
  },
  {
    name: "Controls",
    description:
      "A control is a requirement of your organization, such as SOC2-CC8.1. Decisions record whether a trail or artifact meets it.",
    paths: ["controls"],
  },
  {
    name: "Decision policies",
    description:
      "A decision policy is a Rego policy that decides about controls. Each change is a version. A control can be bound to one, and environment policies can require its decisions.",
    paths: ["decision-policies"],
  },
  {
    name: "Evaluations",
    description:
      "An evaluation is the result of a Rego policy for trails, an artifact or a snapshot. The service can record it as a decision about a control.",
    paths: ["evaluations"],
  },
  {
    name: "Approvals",
    description:
      "An approval records that a person accepts the deployment of an artifact, with the commits it adds to what is running.",
    paths: ["approvals"],
  },
  {
    name: "Environments",
    description:
      "An environment receives reports of the artifacts that run in it. Each change creates a snapshot. A logical environment combines others.",
    paths: ["environments"],
  },
  {
    name: "Snapshots",
    description:
      "A snapshot lists the artifacts that ran in an environment between two changes, with their compliance.",
    paths: ["snapshots", "env-diff"],
  },
  {
    name: "Deployments",
    description:
      "A deployment is the start of an artifact in an environment, as its snapshots show. It has the build, the review before it, the lead time and what it replaced. Deployments need no report of their own.",
    paths: ["deployments"],
  },
  {
    name: "Trends",
    description:
      "Trends show by week how trails, deployments, reviews, lead times and the compliance of environments develop.",
    paths: ["trends"],
  },
  {
    name: "Policies",
    description:
      "A policy is a YAML file with rules that artifacts must meet to run in the environments it is attached to. Each upload with changes creates a version.",
    paths: ["policies"],
  },
  {
    name: "Asserts",
    description: "The gate before a deployment: asks whether an artifact is compliant, and why it is not.",
    paths: ["asserts"],
  },
  {
    name: "Allowlists",
    description: "An allowlist lets named artifacts run in an environment regardless of its policies.",
    paths: ["allowlists"],
  },
  {
    name: "Repositories",
    description:
      "The service creates and updates repositories from the `repo_info` of what is recorded. Tags can be added to them.",
    paths: ["repos"],
  },
  {
    name: "Tags",
    description: "Tags are key and value pairs on flows, environments, repositories and controls.",
    paths: ["tags"],
  },
  {
    name: "Search",
    description: "Finds artifacts, trails and commits by the start of a fingerprint or commit SHA.",
    paths: ["search"],
  },
  {
    name: "Notification rules",
    description:
      "A notification rule, called action in paths and names, sends events of flows, environments or the organization to Slack, Microsoft Teams, webhooks, email or GitHub. Each delivery can be inspected and repeated.",
    paths: ["actions"],
  },
  {
    name: "Organizations",
    description:
      "An organization owns all records. Its environment notifications are the older form of notification rules.",
    paths: ["organizations"],
  },
  {
    name: "Service accounts",
    description:
      "A service account has a role and API keys. The role decides which operations its keys may call; rights can be limited to named flows and environments.",
    paths: ["service-accounts", "user"],
  },
  {
    name: "Members",
    description:
      "A member is a person of the organization, who signs in with a login provider. Groups of the provider, SCIM, invitations and other members give roles, and the strongest one counts.",
    paths: ["members", "invitations", "provisioned-users"],
  },
  {
    name: "Trust policies",
    description:
      "A trust policy lets workflows sign in without a key: it names the claims that the OpenID Connect token of a workflow must have, and the role that it gets.",
    paths: ["trust-policies", "oidc"],
  },
  {
    name: "Login providers",
    description:
      "A login provider signs people in with the accounts that they have at their company, and maps groups to roles.",
    paths: ["login-providers"],
  },
  {
    name: "SCIM tokens",
    description:
      "With a SCIM token, an identity provider sends users and groups. Their activity and groups decide who has access.",
    paths: ["scim-tokens"],
  },
  {
    name: "Hooks",
    description:
      "A hook is an address to which SonarQube or LaunchDarkly sends signed webhooks. The service records them as attestations.",
    paths: ["hooks"],
  },
  {
    name: "Admission",
    description:
      "Kubernetes asks before it creates a pod. An admission webhook is an address with a token, to which the API server of a cluster sends these reviews.",
    paths: ["admission", "admission-webhooks"],
  },
  {
    name: "Share links",
    description: "A share link shows one page to people without an account until it expires or is revoked.",
    paths: ["share-links"],
  },
  {
    name: "Audit log",
    description:
      "The audit log lists who changed what in the organization. Entries cannot be changed or removed.",
    paths: ["audit-log", "membership-audit-log"],
  },
  {
    name: "Evidence log",
    description:
      "The evidence log proves that events were recorded, and that none was changed or removed since, to people who do not trust the service.",
    paths: ["log"],
  },
  {
    name: "Populations",
    description:
      "A population is all trails, deployments or decisions of a period, from which an auditor takes a sample. Its package proves that the list is complete.",
    paths: ["populations"],
  },
  {
    name: "Schemas",
    description: "The JSON Schemas of the YAML files that the service reads.",
    paths: ["schemas"],
  },
];

/** @throws when no tag covers the operation's path */
export function tagOf({ path }: Pick<OperationShape, "path">): Tag {
  const step = path.split("/")[1] ?? "";
  const tag = TAGS.find(({ paths }) => paths.includes(step));
  if (tag === undefined) throw new Error(`No tag in scripts/openapi/tags.ts groups '/${step}'`);
  return tag;
}

/** Sorts operations by tag. The order within a tag is kept. */
export function inReadingOrder<O extends Pick<OperationShape, "path">>(operations: readonly O[]): O[] {
  return operations.toSorted((a, b) => TAGS.indexOf(tagOf(a)) - TAGS.indexOf(tagOf(b)));
}
