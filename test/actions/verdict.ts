/** The sha256 of the three bytes `abc`. */
export const DIGEST = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

/** The service's response about an artifact that may be deployed. */
export const COMPLIANT = {
  fingerprint: DIGEST,
  flow: "web",
  trail: "v1",
  compliant: true,
  compliance_status: {
    status: "COMPLIANT",
    is_compliant: true,
    attestations_statuses: [],
    unexpected: false,
  },
  html_url: "https://evidence.example/acme/flows/web/artifacts/1",
  scope: "flow",
};
