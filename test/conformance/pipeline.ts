import type { FileToSend } from "../../src/api/files.ts";
import type { Target } from "./target.ts";
import { someCommit, someFingerprint, unique } from "./unique.ts";

/** A file to send, by its text. */
export function textFile(name: string, text: string): FileToSend {
  return { name, content: new Blob([text], { type: "text/plain" }) };
}

/** An artifact in a trail, with all its identifiers. */
export interface Delivered {
  readonly flow: string;
  readonly trail: string;
  readonly fingerprint: string;
  readonly commit: string;
}

/** The steps of a delivery in their usual order, each under new names, for tests that need existing records. */
export function pipeline({ client }: Target) {
  const flow = async (templateYaml = "version: 1\n") => {
    const name = unique("flow");
    await client.createFlowWithTemplate({
      body: { name, description: "" },
      files: { templateFile: textFile("template.yml", templateYaml) },
    });
    return name;
  };
  const trail = async (flowName: string) => {
    const name = unique("trail");
    await client.beginTrail({ flowName, body: { name } });
    return name;
  };
  const artifact = async (flowName: string, trailName: string, fingerprint = someFingerprint()) => {
    const commit = someCommit();
    await client.reportArtifact({ flowName, body: artifactBody({ trailName, fingerprint, commit }) });
    return { flow: flowName, trail: trailName, fingerprint, commit };
  };
  const attest = async ({ flow: flowName, trail: trailName, fingerprint }: Delivered, isCompliant = true) => {
    const attestationName = unique("attestation");
    await client.attestGeneric({
      flowName,
      trailName,
      body: { attestationName, isCompliant, artifactFingerprint: fingerprint },
    });
    return attestationName;
  };
  const delivered = async (templateYaml?: string): Promise<Delivered> => {
    const flowName = await flow(templateYaml);
    return artifact(flowName, await trail(flowName));
  };
  const environment = async (type: "K8S" | "server" | "logical" = "K8S") => {
    const name = unique("env");
    await client.createEnvironment({ body: { name, type, description: "" } });
    return name;
  };
  const report = async (envName: string, fingerprints: readonly string[]) =>
    client.reportK8S({ envName, body: { type: "K8S", artifacts: fingerprints.map(pod) } });
  return { flow, trail, artifact, attest, delivered, environment, report };
}

/** The shortest report of an artifact with all its identifiers. */
export function artifactBody({
  trailName,
  fingerprint,
  commit,
}: {
  trailName: string;
  fingerprint: string;
  commit: string;
}) {
  return {
    fingerprint,
    filename: "web:1.2",
    buildUrl: "https://ci.example/run/7",
    commitUrl: `https://git.example/c/${commit}`,
    gitCommit: commit,
    gitCommitInfo: { sha1: commit, message: "m", author: "A <a@example.org>", branch: "main" },
    templateReferenceName: "web",
    trailName,
  };
}

/** Each of several pods was created a second after the one before. */
function pod(fingerprint: string, index: number) {
  return {
    podName: `web-${fingerprint.slice(0, 5)}`,
    namespace: "prod",
    digests: { "reg.example/web:1.2": fingerprint },
    creationTimestamp: 1_780_000_000 + index,
  };
}
