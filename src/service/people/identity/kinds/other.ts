import { claimText } from "../claims.ts";
import { proofOfClaims } from "./github.ts";
import { type IssuerKind, shortened } from "./issuer-kind.ts";

/** Policies for these issuers have only claims. */
export const other: IssuerKind = {
  algorithms: ["RS256"],
  replay: ["jti"],
  lifetime: Number.POSITIVE_INFINITY,
  isNamedByPolicy: false,
  nameClaim: "sub",
  ids: {},
  nameOf: (claims) => claimText(claims, "sub"),
  isNamed: () => true,
  idsOf: () => [],
  isOwn: () => false,
  named(issuer, claims) {
    const subject = claimText(claims, "project_path") ?? claimText(claims, "sub") ?? "unknown";
    return { name: `${new URL(issuer).host}:${shortened(subject)}`, url: null };
  },
  proofOf: (_, claims) => proofOfClaims(claims),
};
