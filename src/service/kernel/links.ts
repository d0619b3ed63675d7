type QueryValue = string | number | boolean;

export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;

export type Links = ReturnType<typeof makeLinks>;

/** @param publicUrl returns the URL without a last slash; called at each use, because a free port is known late */
export function makeLinks(publicUrl: () => string) {
  const to = (...steps: string[]) => `${publicUrl()}/${steps.map(encodeURIComponent).join("/")}`;
  const api = (...steps: string[]) => to("api", "v2", ...steps);
  const trail = (org: string, flow: string, name: string) => to(org, "flows", flow, "trails", name);
  return {
    organization: (org: string) => to(org),
    log: (org: string) => api("log", org),
    /** Identity of the verifier in statements. */
    verifier: () => to("verifier", "v1"),
    flow: (org: string, flow: string) => to(org, "flows", flow),
    trail,
    attestation: (org: string, flow: string, name: string, id: string) =>
      `${trail(org, flow, name)}?attestation_id=${id}`,
    artifact: (org: string, flow: string, fingerprint: string, id: string) =>
      `${to(org, "flows", flow, "artifacts", fingerprint)}?artifact_id=${id}`,
    snapshot: (org: string, environment: string, number: number) =>
      to(org, "environments", environment, "snapshots", String(number)),
    environment: (org: string, name: string) => to(org, "environments", name),
    repository: (org: string, name: string) => to(org, "repos", ...name.split("/")),
    control: (org: string, identifier: string) => to(org, "controls", identifier),
    policy: (org: string, name: string) => to(org, "policies", name),
    account: (org: string, name: string) => to(org, "accounts", name),
    scimTokens: (org: string) => to(org, "scim-tokens"),
    admissionWebhooks: (org: string) => to(org, "admission-webhooks"),
    /** Address of the SCIM interface, or of a resource there. */
    scim: (org: string, ...steps: string[]) => to("scim", "v2", org, ...steps),
    /** Link to a shared resource, for people without an account. */
    share: (token: string) => to("share", token),
    /** Address to which a login provider sends people back. */
    loginCallback: (provider: string) => to("login", provider, "callback"),
    /** Page that shows what a login provider sends, without signing in. */
    loginTest: (provider: string) => `${to("login", provider)}?test`,
    invitation: (token: string) => to("invitations", token),
    unsubscribe: (token: string) => to("share", "unsubscribe", token),
    /** Badge with the state of a flow's latest trail, for people with a share link. */
    badge: (org: string, flow: string, token: string) =>
      `${to(org, "flows", flow, "badge.svg")}?share=${token}`,
    apiArtifact: (org: string, flow: string, fingerprint: string) =>
      api("artifacts", org, flow, "fingerprint", fingerprint),
    apiAttestation: (org: string, id: string) => `${api("attestations", org)}?attestation_id=${id}`,
    apiEvidence: (org: string, flow: string, name: string, id: string) =>
      api("attestations", org, flow, "trail", name, "attestation", id, "evidence"),
    apiSnapshot: (org: string, environment: string, number: number) =>
      api("snapshots", org, environment, String(number)),
    api(path: readonly string[], query: Query = {}) {
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
