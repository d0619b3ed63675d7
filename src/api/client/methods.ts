import type { AnswerOf, RequestOf } from "../operation.ts";
import type { OperationName, operations } from "../resources/operations.ts";
import type { ItemOf } from "./list-item.ts";
import type { CallOptions, Reply } from "./reply.ts";

/*
 * The types of the client's methods. In the package, `scripts/client-types.ts` replaces all but the named records with
 * interfaces, so that editors show the documentation of each method and field.
 */

type Operations = typeof operations;

/** Request of each operation, such as `Requests["beginTrail"]`. */
export type Requests = { [Name in OperationName]: RequestOf<Operations[Name]> };

/** Response body of each operation, such as `Answers["listRepos"]`. */
export type Answers = { [Name in OperationName]: AnswerOf<Operations[Name]> };

/** One method for each operation. */
export type Methods = {
  [Name in OperationName]: (request: Requests[Name], options?: CallOptions) => Promise<Reply<Answers[Name]>>;
};

/** A flow with its template. */
export type Flow = Answers["getFlow"];
/** A trail with its compliance status. */
export type Trail = Answers["getTrail"];
/** An artifact reported to a flow, with its attestations. */
export type Artifact = Answers["getArtifact"];
/** An artifact in a list. */
export type ArtifactSummary = ItemOf<Answers["listArtifacts"]>;
/** An attestation of any type. */
export type Attestation = ItemOf<Answers["listAttestations"]>;
/** A custom attestation type with its versions. */
export type CustomAttestationType = Answers["getCustomAttestationType"];
/** An approval of an artifact. */
export type Approval = Answers["getApproval"];
/** A control of the organization. */
export type Control = Answers["getControl"];
/** A decision about a control. */
export type ControlDecision = Answers["getControlDecision"];
/** An environment with its state. */
export type Environment = Answers["getEnvironment"];
/** A change in an environment. */
export type EnvironmentEvent = ItemOf<Answers["listEnvironmentEvents"]>;
/** A snapshot with its running artifacts. */
export type Snapshot = Answers["getSnapshot"];
/** A snapshot in a list. */
export type SnapshotSummary = ItemOf<Answers["listSnapshots"]>;
/** The differences between two snapshots. */
export type SnapshotDiff = Answers["diffSnapshots"];
/** A policy with its versions. */
export type Policy = Answers["getPolicy"];
/** The compliance of an artifact, with reasons. */
export type ArtifactAssertion = Answers["assertArtifact"];
/** An artifact allowed in an environment regardless of its policies. */
export type AllowlistEntry = ItemOf<Answers["listAllowlists"]>;
/** A repository that records refer to. */
export type Repository = Answers["getRepo"];
/** A notification rule. */
export type NotificationRule = Answers["getAction"];
/** A delivery of a notification, with its attempts. */
export type Delivery = Answers["getDelivery"];
/** An organization. */
export type Organization = Answers["getOrganization"];
/** A service account. */
export type ServiceAccount = Answers["getServiceAccount"];
/** An API key, without the key itself. */
export type ApiKey = Answers["getApiKey"];
/** A trust policy for workflows. */
export type TrustPolicy = Answers["getTrustPolicy"];
/** A link that shows a page to people without an account. */
export type ShareLink = ItemOf<Answers["listShareLinks"]>;
/** An entry of the audit log. */
export type AuditLogEntry = ItemOf<Answers["listAuditLog"]>;
