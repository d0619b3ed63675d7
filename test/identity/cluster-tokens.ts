import { createPublicKey, generateKeyPairSync, randomUUID } from "node:crypto";
import { PUSH, signed } from "./signed-token.ts";

/** The claims of a token that the kubelet projects into a pod, of the service account `evidence/reporter`. */
export const PROJECTED = {
  ...Object.fromEntries(Object.keys(PUSH).map((claim) => [claim, undefined])),
  sub: "system:serviceaccount:evidence:reporter",
  "kubernetes.io": {
    namespace: "evidence",
    node: { name: "node-1", uid: "6d1f1c0e-0000-4000-8000-000000000001" },
    pod: { name: "reporter-5d8f-x2x", uid: "6d1f1c0e-0000-4000-8000-000000000002" },
    serviceaccount: { name: "reporter", uid: "6d1f1c0e-0000-4000-8000-000000000003" },
  },
};

/** Another account of the cluster, or the same name after it was created again. */
export function projectedFor({ namespace = "evidence", name = "reporter", uid = "" }) {
  const { serviceaccount, ...others } = PROJECTED["kubernetes.io"];
  const account = { name, uid: uid || serviceaccount.uid };
  return {
    ...PROJECTED,
    sub: `system:serviceaccount:${namespace}:${name}`,
    "kubernetes.io": { ...others, namespace, serviceaccount: account },
  };
}

export interface PrivateCluster {
  readonly issuer: string;
  readonly jwks: { readonly keys: readonly object[] };
  /** Signs a token for an audience, which is a list as in Kubernetes. */
  token(audience: string, claims?: Readonly<Record<string, unknown>>): string;
}

/** A cluster whose issuer only its pods can reach. */
export function privateCluster(now: () => number): PrivateCluster {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = createPublicKey(privateKey).export({ format: "jwk" });
  const issuer = "https://kubernetes.default.svc.cluster.local";
  return {
    issuer,
    jwks: { keys: [{ ...jwk, kid: "own", alg: "RS256", use: "sig" }] },
    token(audience, claims = PROJECTED) {
      const times = { iat: now(), nbf: now(), exp: now() + 600 };
      const payload = { iss: issuer, aud: [audience], jti: randomUUID(), ...times, ...claims };
      const head = { alg: "RS256", kid: "own" };
      return signed(head, payload, privateKey);
    },
  };
}
