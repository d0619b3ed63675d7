import type {
  EnvironmentNotification,
  FlowNotification,
  NotificationPayload,
  NotificationType,
  OrganizationNotification,
  RunningNotification,
} from "../../../api/resources/notification-payload.ts";
import { oneLine } from "../../kernel/one-line.ts";

/** The text of a payload. Texts are single lines of at most `MOST`. Each format must escape them. */
export interface Notice {
  /** `COMPLIANT`, `NON-COMPLIANT` or `INCOMPLETE`; without a result, the event. */
  verdict: string;
  tone: Tone;
  /** An environment, a trail and its flow, or an API key and its account. */
  subject: string;
  /** A sentence about the change. */
  change: string;
  /** At most ten. */
  facts: Fact[];
  /** At most five. */
  reasons: string[];
  /** The number of artifacts, and at most twenty of them. */
  artifacts?: { heading: string; first: string[] };
  /** The service's page comes first. Labels are fixed texts or host names. */
  links: Link[];
}

export type Tone = "good" | "bad" | "neutral";

interface Fact {
  label: string;
  value: string;
}

export interface Link {
  label: string;
  url: string;
}

/** Maximum lengths, in UTF-16 units. All together fit into every kind of message. */
const MOST = {
  subject: 120,
  change: 400,
  fact: 150,
  reason: 200,
  artifact: 80,
  artifactName: 50,
  url: 800,
  host: 60,
};
const MAX_REASONS = 5;
const MAX_ARTIFACTS = 20;

/** The event in one word, where the payload has no compliance. */
const HAPPENED: Readonly<Record<NotificationType, string>> = {
  "trail.started": "STARTED",
  "artifact.reported": "REPORTED",
  "attestation.recorded": "RECORDED",
  "approval.recorded": "RECORDED",
  "approval.approved": "APPROVED",
  "artifact.started": "STARTED",
  "artifact.exited": "EXITED",
  "artifact.scaled": "SCALED",
  "artifact.allowed": "ALLOWED",
  "environment.non_compliant": "NON-COMPLIANT",
  "environment.compliant": "COMPLIANT",
  "api_key.expiring": "EXPIRING",
};

export function noticeOf(payload: NotificationPayload): Notice {
  const verdict = complianceStateOf(payload) ?? HAPPENED[payload.type];
  return {
    verdict,
    tone: toneOf(verdict),
    subject: oneLine(subjectOf(payload), MOST.subject),
    change: oneLine(payload.description, MOST.change),
    facts: factsOf(payload).flatMap(([label, value]) =>
      value === undefined ? [] : [{ label, value: oneLine(value, MOST.fact) }],
    ),
    reasons: payload.reasons.slice(0, MAX_REASONS).map((reason) => oneLine(reason, MOST.reason)),
    ...artifactsOf(payload),
    links: linksOf(payload),
  };
}

export function titleOf({ verdict, subject }: Notice): string {
  return `${verdict}: ${subject}`;
}

export function listed(lines: readonly string[]): string[] {
  return lines.map((line) => `- ${line}`);
}

function isFlow(payload: NotificationPayload): payload is FlowNotification {
  return "flow" in payload;
}

function isEnvironment(payload: NotificationPayload): payload is EnvironmentNotification {
  return "environment" in payload;
}

function complianceStateOf(payload: NotificationPayload): string | undefined {
  if (isFlow(payload)) return payload.trail?.compliance_state;
  if (!isEnvironment(payload)) return undefined;
  // The event has the new state of the environment, which may differ from the snapshot's.
  if (payload.type === "environment.compliant" || payload.type === "environment.non_compliant") {
    return HAPPENED[payload.type];
  }
  const status = payload.snapshot?.status;
  return status === undefined || status === "unknown" ? undefined : status.toUpperCase();
}

function toneOf(verdict: string): Tone {
  if (verdict === "COMPLIANT") return "good";
  return verdict === "NON-COMPLIANT" ? "bad" : "neutral";
}

function subjectOf(payload: NotificationPayload): string {
  if (isEnvironment(payload)) return payload.environment;
  if (!isFlow(payload)) return `${payload.api_key.description} of ${payload.api_key.service_account}`;
  const about = payload.trail?.name ?? payload.artifact?.name;
  return about === undefined ? payload.flow.name : `${about} in ${payload.flow.name}`;
}

type Facts = (readonly [label: string, value: string | undefined])[];

function factsOf(payload: NotificationPayload): Facts {
  return [
    ["Organization", payload.org],
    ...subjectFacts(payload),
    ["Commit", commitOf(payload)],
    ["Author", payload.commit?.author ?? undefined],
    ["Time", timeOf(payload.timestamp)],
  ];
}

function subjectFacts(payload: NotificationPayload): Facts {
  if (isFlow(payload)) return flowFacts(payload);
  return isEnvironment(payload) ? environmentFacts(payload) : organizationFacts(payload);
}

function flowFacts({ flow, trail, artifact, attestation, approval }: FlowNotification): Facts {
  return [
    ["Flow", flow.name],
    ["Trail", trail?.name],
    ["Artifact", artifact?.name],
    ["Fingerprint", artifact?.fingerprint],
    [
      "Attestation",
      attestation &&
        `${attestation.is_compliant ? "compliant" : "non-compliant"}: ${attestation.name} (${attestation.type})`,
    ],
    ["Approval", approval && `${approval.number}: ${approval.state.toLowerCase()}`],
  ];
}

function environmentFacts({ environment, snapshot, artifact }: EnvironmentNotification): Facts {
  const provenance = artifact?.provenance;
  return [
    ["Environment", environment],
    ["Snapshot", snapshot?.index],
    ["Artifact", artifact?.name],
    ["Fingerprint", artifact?.fingerprint],
    ["Built in", provenance && `${provenance.flow} (${provenance.status})`],
  ];
}

function organizationFacts({ api_key }: OrganizationNotification): Facts {
  return [
    ["Account", api_key.service_account],
    ["API key", api_key.description],
    ["Key id", api_key.id],
    ["Expires", timeOf(String(api_key.expires_at))],
  ];
}

function commitOf(payload: NotificationPayload): string | undefined {
  const sha = payload.commit?.sha ?? provenanceOf(payload)?.commit;
  if (sha === undefined || sha === null) return undefined;
  const title = payload.commit?.message?.slice(0, MOST.fact).split("\n", 1)[0] ?? "";
  return title.trim() === "" ? sha.slice(0, 10) : `${sha.slice(0, 10)} ${title}`;
}

function provenanceOf(payload: NotificationPayload): RunningNotification["provenance"] {
  return isEnvironment(payload) ? payload.artifact?.provenance : undefined;
}

function timeOf(timestamp: string): string | undefined {
  const time = new Date(Number(timestamp) * 1000);
  return Number.isNaN(time.getTime())
    ? undefined
    : `${time.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function artifactsOf(payload: NotificationPayload): Pick<Notice, "artifacts"> {
  if (!isEnvironment(payload) || payload.artifacts === undefined) return {};
  const { count } = payload.artifacts;
  const first = payload.artifacts.first.slice(0, MAX_ARTIFACTS);
  const named = count > first.length ? `, the first ${first.length} are` : "";
  return { artifacts: { heading: `${count} artifacts${named}:`, first: first.map(artifactOf) } };
}

function artifactOf({ name, fingerprint, provenance }: RunningNotification): string {
  const known = [fingerprint.slice(0, 10), provenance?.status ?? "no provenance"].filter(
    (each) => each !== "",
  );
  return oneLine(`${oneLine(name, MOST.artifactName)} (${known.join(", ")})`, MOST.artifact);
}

function linksOf(payload: NotificationPayload): Link[] {
  const provenance = provenanceOf(payload);
  const run = webLink(payload.run_url ?? provenance?.build_url, MOST.url);
  const commit = webLink(payload.commit?.html_url ?? provenance?.commit_url, MOST.url);
  const page = pageOf(payload);
  const url = webLink(page?.url, MOST.url);
  return [
    ...(page === undefined || url === undefined ? [] : [{ label: page.label, url }]),
    ...(run === undefined ? [] : [{ label: `Run on ${hostOf(run)}`, url: run }]),
    ...(commit === undefined ? [] : [{ label: `Commit on ${hostOf(commit)}`, url: commit }]),
  ];
}

function pageOf(payload: NotificationPayload): Link | undefined {
  if (isEnvironment(payload)) {
    return payload.snapshot && { label: "Open the snapshot", url: payload.snapshot.html_url };
  }
  if (!isFlow(payload)) return { label: "Open the account", url: payload.api_key.html_url };
  const { trail, artifact, flow } = payload;
  if (trail !== undefined) return { label: "Open the trail", url: trail.html_url };
  if (artifact !== undefined) return { label: "Open the artifact", url: artifact.html_url };
  return { label: "Open the flow", url: flow.html_url };
}

/** Shows the host, because users give this address. */
function hostOf(url: string): string {
  return oneLine(new URL(url).host, MOST.host);
}

/** An address that is safe to link. Undefined if it is not http(s), has a user, or is longer than `most` characters. */
function webLink(address: string | null | undefined, most: number): string | undefined {
  // Checked before parsing, because the text may be very long.
  if (address === null || address === undefined || address.length > most) return undefined;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    return undefined;
  }
  // The parser encoded quotes and angle brackets. In Slack, a bar ends the address.
  const href = url.href.replaceAll("|", "%7C");
  return href.length > most ? undefined : href;
}
