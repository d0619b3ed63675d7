import { join } from "node:path";
import { expect, test } from "vitest";
import { engineAddress } from "../../../src/evidence/docker/engine.ts";
import { refusal } from "../refusal.ts";
import { planted, temporaryDirectory } from "../temporary-directory.ts";

const USE = { input: "artifact-type", instead: "push the image and use artifact-type: oci" };

test.each([
  ["linux", undefined, "/var/run/docker.sock"],
  ["darwin", "", "/var/run/docker.sock"],
  ["win32", undefined, "\\\\.\\pipe\\docker_engine"],
  ["linux", "unix:///run/user/1000/docker.sock", "/run/user/1000/docker.sock"],
  ["win32", "npipe:////./pipe/podman", "\\\\.\\pipe\\podman"],
] as const)("on %s with DOCKER_HOST %s the engine is at %s", async (platform, host, socketPath) => {
  const address = await engineAddress(host === undefined ? {} : { DOCKER_HOST: host }, USE, platform);
  expect(address.socketPath).toBe(socketPath);
  expect(address.tls).toBeUndefined();
});

test.each([
  ["tcp://127.0.0.1:2375", "http://127.0.0.1:2375"],
  ["http://docker:2375", "http://docker:2375"],
  ["tcp://[::1]:2375/", "http://[::1]:2375"],
])("%s is %s", async (host, origin) => {
  const address = await engineAddress({ DOCKER_HOST: host }, USE);
  expect(address.origin.origin).toBe(origin);
  expect(address.socketPath).toBeUndefined();
});

test("DOCKER_TLS_VERIFY uses TLS, with the certificates of DOCKER_CERT_PATH", async () => {
  const DOCKER_CERT_PATH = planted({ "ca.pem": "CA", "cert.pem": "CERT", "key.pem": "KEY" });
  const env = { DOCKER_HOST: "tcp://docker:2376", DOCKER_TLS_VERIFY: "1", DOCKER_CERT_PATH };
  const { origin, tls } = await engineAddress(env, USE);
  expect(origin.origin).toBe("https://docker:2376");
  expect([tls?.ca, tls?.cert, tls?.key].map(String)).toEqual(["CA", "CERT", "KEY"]);
});

test("a missing certificate is reported with its path", async () => {
  const DOCKER_CERT_PATH = temporaryDirectory();
  const env = { DOCKER_HOST: "tcp://docker:2376", DOCKER_TLS_VERIFY: "1", DOCKER_CERT_PATH };
  const error = await refusal(engineAddress(env, USE));
  expect(error.message).toContain(`'${join(DOCKER_CERT_PATH, "ca.pem")}', which does not exist`);
});

test.each(["ssh://user@host", "fd://", "/var/run/docker.sock", "tcp://", "tcp://:x"])(
  "'%s' is rejected, with an alternative",
  async (host) => {
    const error = await refusal(engineAddress({ DOCKER_HOST: host }, USE));
    expect(error.message).toContain(`'${host}'`);
    expect(error.advice).toContain("artifact-type: oci");
  },
);
