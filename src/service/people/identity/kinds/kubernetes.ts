import { type Claims, claimText } from "../claims.ts";
import { proofOfClaims } from "./github.ts";
import { DAY, type IssuerKind, shortened } from "./issuer-kind.ts";

const SERVICE_ACCOUNT = "kubernetes.io/serviceaccount";
const UID = `${SERVICE_ACCOUNT}/uid`;

export const kubernetes: IssuerKind = {
  algorithms: ["RS256", "ES256", "ES384", "ES512"],
  // A projected token is a file, which its pod may read again after a restart.
  replay: [],
  lifetime: DAY,
  isNamedByPolicy: true,
  nameClaim: SERVICE_ACCOUNT,
  ids: { [UID]: "service_account_uid" },
  nameOf: serviceAccountIn,
  isNamed: (name, subject) => name === subject,
  idsOf: () => [UID],
  isOwn: ({ subject }, claims) => subject === serviceAccountIn(claims),
  named(issuer, claims) {
    const { host, pathname } = new URL(issuer);
    const cluster = host + pathname.replace(/\/$/, "");
    const account = serviceAccountIn(claims) ?? "unknown";
    return { name: `kubernetes:${shortened(account)} of ${shortened(cluster)}`, url: null };
  },
  proofOf: (_, claims) => proofOfClaims(claims),
};

/** `web/reporter`: the namespace and the name. */
export function serviceAccountIn(claims: Claims): string | undefined {
  const namespace = claimText(claims, "kubernetes.io/namespace");
  const name = claimText(claims, `${SERVICE_ACCOUNT}/name`);
  return namespace === undefined || name === undefined ? undefined : `${namespace}/${name}`;
}
