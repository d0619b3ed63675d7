import { createHash } from "node:crypto";
import type { PodEntry, reportK8S } from "../../api/snapshots.ts";
import type { Handler } from "../http/handler.ts";
import { invalidInput } from "../http-error.ts";
import { requireEnvironment } from "../records/environments.ts";
import { addReport, type EnvironmentReport, type RunningArtifact } from "../records/snapshots.ts";

export const handleReportK8S: Handler<typeof reportK8S> = async ({ org, params, body }, { store, now }) => {
  const report = digestReport(body.artifacts);
  const snapshot = await store.write(async (db) => {
    const environment = await requireEnvironment(db, org, params.envName);
    if (environment.type !== "K8S") {
      throw invalidInput(
        { type: `Environment '${environment.name}' has the type '${environment.type}' [input: K8S]` },
        "Invalid report data",
      );
    }
    return addReport(db, environment.id, report, now());
  });
  return snapshot === undefined
    ? { status: 200, body: "Report processed successfully, no new snapshots to create" }
    : { status: 201, body: `Report processed successfully, snapshot #${snapshot} created` };
};

/** The artifacts that pods run, each once, with the pods that run it. */
function digestReport(pods: readonly PodEntry[]): EnvironmentReport {
  const running = new Map<string, { name: string; fingerprint: string; pods: object[] }>();
  for (const { digests, podName, namespace, creationTimestamp, owners } of pods) {
    for (const [name, fingerprint] of Object.entries(digests)) {
      const key = JSON.stringify([name, fingerprint]);
      const artifact = running.get(key) ?? { name, fingerprint, pods: [] };
      artifact.pods.push({ podName, namespace, creationTimestamp, owners: owners ?? [] });
      running.set(key, artifact);
    }
  }
  const artifacts: RunningArtifact[] = [...running.values()].map((artifact) => ({
    ...artifact,
    pods: JSON.stringify(artifact.pods),
  }));
  const artifactSet = createHash("sha256")
    .update([...running.keys()].sort().join("\n"))
    .digest("hex");
  return { artifacts, artifactSet, undetermined: pods.length > 0 && artifacts.length === 0 };
}
