import type { RequestListener } from "node:http";
import { expect, test } from "vitest";
import { ProtocolError, TimeoutError } from "../../../src/api/client/errors.ts";
import { type HostOptions, readContainers } from "../../../src/evidence/docker/running-containers.ts";
import { failureOf } from "../../api/connections.ts";
import { refusal } from "../refusal.ts";
import { engine } from "./engine.ts";
import { CONTAINERS, engineOf, REPORTED } from "./engine-host.ts";

function read(dockerHost: string, options: Partial<HostOptions> = {}) {
  return readContainers({
    env: { DOCKER_HOST: dockerHost },
    signal: new AbortController().signal,
    pause: async () => {},
    onWarning: () => {},
    ...options,
  });
}

/** An engine that responds like another one, except for some paths. */
function but(other: RequestListener, changed: Readonly<Record<string, RequestListener>>): RequestListener {
  return (request, response) => (changed[request.url ?? ""] ?? other)(request, response);
}

const whole = engineOf(CONTAINERS);

test("running containers are listed, with one request for each image ID", async () => {
  const { address, requests } = await engine(whole);
  expect(await read(address)).toEqual(REPORTED);
  expect(requests.filter((request) => request.includes("/images/"))).toHaveLength(3);
});

test("a failing engine is retried", async () => {
  let troubles = 2;
  const { address } = await engine((request, response) => {
    if (request.url === "/v1.50/containers/json" && troubles-- > 0) response.writeHead(503).end();
    else whole(request, response);
  });
  expect(await read(address)).toEqual(REPORTED);
});

test("one unreadable image fails the report, because a partial one would claim that it stopped", async () => {
  const path = `/v1.50/images/sha256:${"2".repeat(64)}/json`;
  const broken: RequestListener = (_, response) => response.writeHead(500).end('{"message": "bad disk"}');
  const { address } = await engine(but(whole, { [path]: broken }));
  const error = await failureOf(ProtocolError, read(address));
  expect(error.message).toBe(`bad disk (the Docker engine at ${address}, status 500)`);
});

test("an engine without a version is requested without one, and a configured version is used", async () => {
  const old: RequestListener = ({ url }, response) => void response.end(url === "/_ping" ? "OK" : "[]");
  const { address, requests } = await engine(old);
  await read(address);
  await read(address, { env: { DOCKER_HOST: address, DOCKER_API_VERSION: "1.44" } });
  expect(requests.filter((request) => !request.endsWith("_ping"))).toEqual([
    "GET /containers/json",
    "GET /v1.44/containers/json",
  ]);
});

test.each([
  ["a page", "<html>", "unreadable response"],
  ["an object", "{}", "the engine's list of containers is not a list"],
  ["invalid entries", '[{"Id": "1"}]', "the engine's list of containers has an invalid entry"],
  [
    "an image ID that leads elsewhere",
    JSON.stringify([{ Image: "a", ImageID: "../../secrets", Created: 1 }]),
    "the engine's list of containers has an invalid entry",
  ],
])("an engine that lists %s is an error without a report", async (_, body, expected) => {
  const list: RequestListener = (__, response) => void response.end(body);
  const { address, requests } = await engine(but(whole, { "/v1.50/containers/json": list }));
  expect((await failureOf(ProtocolError, read(address))).message).toContain(expected);
  expect(requests).toHaveLength(2);
});

test("an endless response is cut off", async () => {
  const endless: RequestListener = (_, response) => {
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024, " ")));
    };
    response.on("drain", write);
    write();
  };
  const { address } = await engine(but(whole, { "/v1.50/containers/json": endless }));
  expect((await failureOf(ProtocolError, read(address))).message).toContain("is larger than 20 MB");
});

test("an engine that stops responding is waited for until the timeout", async () => {
  const stalling: RequestListener = (_, response) => void response.write("[");
  const { address } = await engine(but(whole, { "/v1.50/containers/json": stalling }));
  const error = await failureOf(TimeoutError, read(address, { timeLimit: 0.2 }));
  expect(error.message).toContain("no complete answer within 0.2 s");
});

test("a missing engine is reported under the input that needs it", async () => {
  const error = await refusal(read("unix:///nowhere/docker.sock"));
  expect(error.message).toBe(
    "type: docker requires the Docker engine at unix:///nowhere/docker.sock, which does not respond",
  );
  expect(error.advice).toBe("Start the engine or set DOCKER_HOST to its address.");
});
