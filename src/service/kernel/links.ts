export interface Links {
  organization(org: string): string;
  flow(org: string, flow: string): string;
  trail(org: string, flow: string, trail: string): string;
  attestation(org: string, flow: string, trail: string, attestationId: string): string;
  artifact(org: string, flow: string, fingerprint: string, artifactId: string): string;
  snapshot(org: string, environment: string, number: number): string;
  account(org: string, name: string): string;
  /** Opens what a link shows to who has no account. */
  share(token: string): string;
  unsubscribe(token: string): string;
  /** A picture of how the latest trail of a flow stands, for who has a link to it. */
  badge(org: string, flow: string, token: string): string;
  /** The addresses of the interface at which an artifact, the files of an attestation and a snapshot are got. */
  apiArtifact(org: string, flow: string, fingerprint: string): string;
  apiEvidence(org: string, flow: string, trail: string, attestationId: string): string;
  apiSnapshot(org: string, environment: string, number: number): string;
  api(path: readonly string[], query?: Query): string;
}

type QueryValue = string | number | boolean;

export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;

/** @param publicUrl gives where the service is reached from outside; asked at each use, as a free port is known late */
export function makeLinks(publicUrl: () => string): Links {
  const to = (...steps: string[]) =>
    [publicUrl().replace(/\/+$/, ""), ...steps.map(encodeURIComponent)].join("/");
  const api = (...steps: string[]) => to("api", "v2", ...steps);
  const trail = (org: string, flow: string, name: string) => to(org, "flows", flow, "trails", name);
  return {
    organization: (org) => to(org),
    flow: (org, flow) => to(org, "flows", flow),
    trail,
    attestation: (org, flow, name, id) => `${trail(org, flow, name)}?attestation_id=${id}`,
    artifact: (org, flow, fingerprint, id) =>
      `${to(org, "flows", flow, "artifacts", fingerprint)}?artifact_id=${id}`,
    snapshot: (org, environment, number) => to(org, "environments", environment, "snapshots", String(number)),
    account: (org, name) => to(org, "accounts", name),
    share: (token) => to("share", token),
    unsubscribe: (token) => to("share", "unsubscribe", token),
    badge: (org, flow, token) => `${to(org, "flows", flow, "badge.svg")}?share=${token}`,
    apiArtifact: (org, flow, fingerprint) => api("artifacts", org, flow, "fingerprint", fingerprint),
    apiEvidence: (org, flow, name, id) =>
      api("attestations", org, flow, "trail", name, "attestation", id, "evidence"),
    apiSnapshot: (org, environment, number) => api("snapshots", org, environment, String(number)),
    api(path, query = {}) {
      const search = new URLSearchParams(pairsOf(query)).toString();
      return `${api(...path)}${search === "" ? "" : `?${search}`}`;
    },
  };
}

function pairsOf(query: Query): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
  );
}
