import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NetworkError, ProtocolError, TimeoutError } from "../../../src/api/client/errors.ts";
import type { EngineOptions } from "../../../src/evidence/docker/engine.ts";
import { fingerprintLocalImage } from "../../../src/evidence/docker/local-image.ts";
import { failureOf } from "../../api/connections.ts";
import { closedPort, httpServer, json, tcpServer } from "../../api/local-server.ts";
import { refusal } from "../refusal.ts";
import { planted, temporaryDirectory } from "../temporary-directory.ts";
import { engine } from "./engine.ts";

const digest = "0123456789abcdef".repeat(4);

function fingerprint(image: string, dockerHost: string, options: Partial<EngineOptions> = {}) {
  return fingerprintLocalImage(image, {
    env: { DOCKER_HOST: dockerHost },
    signal: new AbortController().signal,
    pause: async () => {},
    ...options,
  });
}

const inspected = { Id: `sha256:${"f".repeat(64)}`, RepoDigests: [`ghcr.io/acme/web@sha256:${digest}`] };

describe("an image of the local engine", () => {
  test("has the digest of its repository, and not its own ID", async () => {
    const { address, requests } = await engine({ status: 200, body: inspected });
    expect(await fingerprint("ghcr.io/acme/web:1", address)).toBe(digest);
    expect(requests).toEqual(["GET /images/ghcr.io/acme/web:1/json"]);
  });

  test("is requested by its full name", async () => {
    const body = { RepoDigests: [`nginx@sha256:${digest}`] };
    const { address, requests } = await engine({ status: 200, body });
    expect(await fingerprint("nginx", address)).toBe(digest);
    expect(requests).toEqual(["GET /images/docker.io/library/nginx:latest/json"]);
  });

  test("is not requested when its name contains the digest", async () => {
    const absent = `unix://${join(temporaryDirectory(), "absent.sock")}`;
    expect(await fingerprint(`ghcr.io/acme/web@sha256:${digest}`, absent)).toBe(digest);
  });

  test("is found by an engine behind tcp:// as well", async () => {
    const server = await httpServer((response) => json(response, 200, inspected));
    expect(await fingerprint("ghcr.io/acme/web:1", `tcp://127.0.0.1:${server.port}`)).toBe(digest);
  });

  test("that the engine does not have is an error", async () => {
    const { address } = await engine({ status: 404, body: { message: "No such image: x" } });
    const error = await refusal(fingerprint("acme/web:1", address));
    expect(error.message).toBe("artifact: the Docker engine has no image 'docker.io/acme/web:1'");
    expect(error.advice).toContain("artifact-type: oci");
  });

  test.each([[{}], [{ RepoDigests: null }], [{ RepoDigests: [] }], [{ RepoDigests: [7] }]])(
    "that was never pushed is an error that says what to do: %j",
    async (body) => {
      const { address } = await engine({ status: 200, body });
      const error = await refusal(fingerprint("acme/web:1", address));
      expect(error.message).toContain("has no digest in its own repository yet");
      expect(error.advice).toContain("push the image first");
    },
  );
});

describe("an engine", () => {
  test("that is missing is named by its address", async () => {
    const path = join(temporaryDirectory(), "absent.sock");
    const error = await refusal(fingerprint("acme/web", `unix://${path}`));
    expect(error.message).toBe(
      `artifact-type: docker requires the Docker engine at unix://${path}, which does not respond`,
    );
    expect(error.advice).toContain("DOCKER_HOST");
  });

  test("that has left a stale socket is reported", async () => {
    const address = `tcp://127.0.0.1:${await closedPort()}`;
    expect((await refusal(fingerprint("acme/web", address))).message).toContain("which does not respond");
    const file = join(planted({ "docker.sock": "a file" }), "docker.sock");
    expect((await refusal(fingerprint("acme/web", `unix://${file}`))).message).toContain(
      "which does not respond",
    );
  });

  test("that is podman is not trusted, because its digest may be one that no registry has", async () => {
    const headers = { "libpod-api-version": "4.3.1", server: "Libpod/4.3.1 (linux)" };
    const { address } = await engine({ status: 200, body: inspected, headers });
    const error = await refusal(fingerprint("ghcr.io/acme/web:1", address));
    expect(error.message).toContain(`podman runs at ${address}`);
    expect(error.advice).toContain("artifact-type: oci");
  });

  test("that fails is reported with its own message", async () => {
    const { address } = await engine({ status: 500, body: { message: "the disk is full" } });
    const error = await failureOf(ProtocolError, fingerprint("acme/web", address));
    expect(error.message).toBe(`the disk is full (the Docker engine at ${address}, status 500)`);
  });

  test.each(["<html>", "[]", ""])("with an invalid response is reported: %j", async (body) => {
    const { address } = await engine({ status: 200, body });
    const error = await failureOf(ProtocolError, fingerprint("acme/web", address));
    expect(error.message).toBe(`unreadable response (the Docker engine at ${address}, status 200)`);
  });

  test("that closes the connection is reported", async () => {
    const { port } = await tcpServer((socket) => socket.destroy());
    const error = await failureOf(NetworkError, fingerprint("acme/web", `tcp://127.0.0.1:${port}`));
    expect(error.message).toContain(`(the Docker engine at tcp://127.0.0.1:${port}, 3 attempts)`);
  });

  test("that does not respond is waited for until the timeout", async () => {
    const { address } = await engine();
    const error = await failureOf(TimeoutError, fingerprint("acme/web", address, { timeLimit: 0.2 }));
    expect(error.message).toContain("no complete answer within 0.2 s (");
  });

  test("is no longer waited for after an interruption", async () => {
    const { address } = await engine();
    const signal = AbortSignal.abort(new RangeError("interrupted"));
    await expect(fingerprint("acme/web", address, { signal })).rejects.toThrow("interrupted");
  });
});
