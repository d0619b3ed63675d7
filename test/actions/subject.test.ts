import { describe, expect, test } from "vitest";
import { fingerprintOf } from "../../src/actions/subject.ts";
import { readRunner } from "../../src/github/step/runner.ts";
import { engine } from "../evidence/docker/engine.ts";
import { auth, withDockerConfig } from "../evidence/oci/logins.ts";
import { DIGEST, manifest, registry, tokenRegistry } from "../evidence/oci/registry-server.ts";
import { refusal } from "../evidence/refusal.ts";

function fingerprint(
  artifactType: "file" | "dir" | "oci" | "docker",
  artifact: string,
  { variables = {}, allowHttp = false }: { variables?: Record<string, string>; allowHttp?: boolean } = {},
) {
  const subject = { artifact, artifactType, fingerprint: undefined, exclude: [] };
  const { signal } = new AbortController();
  return fingerprintOf(subject, { runner: readRunner(variables), signal, allowHttp });
}

describe("the fingerprint of an artifact", () => {
  test("of type oci is its registry's digest, requested with the job's login", async () => {
    const server = await tokenRegistry(({ headers }) => headers.authorization === `Basic ${auth()}`);
    const variables = withDockerConfig({ auths: { [server.host]: { auth: auth() } } });
    expect(await fingerprint("oci", server.image, { variables })).toBe(DIGEST);
  });

  test("of type oci is requested over plain HTTP elsewhere only with allow-http", async () => {
    const server = await registry((response) => manifest(response));
    const image = `http://0.0.0.0:${server.port}/acme/app:1`;
    expect((await refusal(fingerprint("oci", image))).message).toContain("allow-http: true");
    expect(await fingerprint("oci", image, { allowHttp: true })).toBe(DIGEST);
  });

  test("of type docker is the digest in the job's engine", async () => {
    const body = { RepoDigests: [`ghcr.io/acme/app@sha256:${DIGEST}`] };
    const { address } = await engine({ status: 200, body });
    const variables = { DOCKER_HOST: address };
    expect(await fingerprint("docker", "ghcr.io/acme/app:1", { variables })).toBe(DIGEST);
  });
});
