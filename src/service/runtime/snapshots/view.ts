import type { SnapshotArtifact } from "../../../api/resources/snapshots.ts";
import type { Links } from "../../kernel/links.ts";
import type { Instance } from "../running/artifact.ts";
import { reasonsForIncompliance } from "../running/compliance.ts";
import type { DeployedFlow } from "../running/deployed-flows.ts";
import type { ShownArtifact } from "./content.ts";

interface View {
  org: string;
  links: Links;
  /** Whether several environments are shown together. */
  logical: boolean;
}

export function artifactView(artifact: ShownArtifact, { org, links, logical }: View): SnapshotArtifact {
  const flows = artifact.flows.map((flow) => flowView(flow, artifact, { org, links }));
  const [first] = flows;
  const [instance] = artifact.instances;
  return {
    name: artifact.name,
    fingerprint: artifact.fingerprint,
    ...(logical ? { environmentName: artifact.environmentName } : {}),
    compliant: artifact.compliant,
    deployments: [],
    policyDecisions: [...artifact.policyDecisions],
    reasonsForIncompliance: reasonsForIncompliance(artifact),
    creationTimestamp: artifact.instances.map(({ creationTimestamp }) => creationTimestamp),
    pods: podsView(artifact.instances),
    ...instancesView(artifact.instances),
    annotation: { ...artifact.annotation },
    flowName: first?.flowName ?? null,
    gitCommit: first?.gitCommit ?? null,
    commitUrl: first?.commitUrl ?? null,
    htmlUrl: first?.htmlUrl ?? null,
    flowHtmlUrl: first?.flowHtmlUrl ?? null,
    deploymentDiff: first?.deploymentDiff ?? null,
    commitLeadTime: first?.commitLeadTime ?? null,
    flows,
    ecsContext:
      instance?.taskArn === undefined
        ? null
        : {
            taskArn: instance.taskArn,
            clusterName: instance.clusterName ?? null,
            serviceName: instance.serviceName ?? null,
          },
  };
}

type FlowView = NonNullable<SnapshotArtifact["flows"]>[number];

function flowView(
  flow: DeployedFlow,
  { fingerprint, policyDecisions }: Pick<ShownArtifact, "fingerprint" | "policyDecisions">,
  { org, links }: Pick<View, "org" | "links">,
): FlowView {
  const status = statusInFlow(policyDecisions, flow);
  return {
    flowName: flow.flowName,
    trailName: flow.trailName,
    templateReferenceName: flow.templateName,
    gitCommit: flow.commitSha,
    commitUrl: flow.commitUrl,
    gitCommitInfo: flow.gitCommitInfo,
    htmlUrl: links.artifact(org, flow.flowName, fingerprint, flow.artifactId),
    flowHtmlUrl: links.flow(org, flow.flowName),
    deploymentDiff: flow.deploymentDiff,
    commitLeadTime: flow.commitLeadTime,
    artifactComplianceInFlow: status === null ? null : status === "COMPLIANT",
    flowReasonsForNonCompliance:
      status === null || status === "COMPLIANT" ? [] : [{ type: "artifact_status", status }],
  };
}

/** Flow status that the policies evaluated; null without policies. */
function statusInFlow(
  decisions: ShownArtifact["policyDecisions"],
  { flowName, trailName }: DeployedFlow,
): string | null {
  for (const { ruleEvaluations = [] } of decisions) {
    for (const { context } of ruleEvaluations.flatMap(({ resolutions = [] }) => resolutions)) {
      if (context?.flowName !== flowName || context.trailName !== trailName) continue;
      if (context.artifactStatus) return context.artifactStatus;
    }
  }
  return null;
}

/** Instances of Azure apps and Cloud Run, which no other field shows. */
function instancesView(instances: readonly Instance[]): Pick<SnapshotArtifact, "instances"> {
  const [first] = instances;
  if (first?.appName === undefined && first?.kind === undefined) return {};
  return { instances: instances.map((instance) => ({ ...instance })) };
}

/** Pods by name. Equal names get their namespace added. */
function podsView(instances: readonly Instance[]): Record<string, unknown> | null {
  const pods = new Map<string, unknown>();
  for (const { podName, namespace, creationTimestamp, owners } of instances) {
    if (podName === undefined) return null;
    const name = pods.has(podName) ? `${namespace}/${podName}` : podName;
    pods.set(name, { namespace, creationTimestamp, owners });
  }
  return Object.fromEntries(pods);
}
