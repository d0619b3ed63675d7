import type { RequestListener } from "node:http";

const hex = (digit: string) => digit.repeat(64);
const DIGESTS = { web: hex("a"), mirror: hex("b"), postgres: hex("c"), pinned: hex("d") };

/** Running containers as an engine of version 1.50 lists them. */
export const CONTAINERS = [
  container("web-1", "ghcr.io/acme/web:1.2", "1"),
  container("web-2", "ghcr.io/acme/web:1.2", "1"),
  container("db", "postgres:17", "2"),
  // Its name belongs to another image by now.
  container("old", `sha256:${hex("2")}`, "2"),
  container("pinned", `redis@sha256:${DIGESTS.pinned}`, "3"),
];

/** Containers that cannot be reported. */
export const UNKNOWN = [container("dev", "web:dev", "4"), container("left", "web:0.9", "5")];

/** The engine's images, by ID. One is missing, because it was removed by force. */
const IMAGES: Readonly<Record<string, readonly string[]>> = {
  [hex("1")]: [`mirror.example/acme/web@sha256:${DIGESTS.mirror}`, `ghcr.io/acme/web@sha256:${DIGESTS.web}`],
  [hex("2")]: [`postgres@sha256:${DIGESTS.postgres}`],
  [hex("3")]: [],
  [hex("4")]: [],
};

/** The expected report. */
export const REPORTED = [
  entry("ghcr.io/acme/web:1.2", DIGESTS.web),
  entry("ghcr.io/acme/web:1.2", DIGESTS.web),
  entry("postgres:17", DIGESTS.postgres),
  entry(`sha256:${hex("2")}`, DIGESTS.postgres),
  entry(`redis@sha256:${DIGESTS.pinned}`, DIGESTS.pinned),
];

function container(name: string, image: string, id: string) {
  return {
    ...{ Id: hex("f"), Names: [`/${name}`], Image: image, ImageID: `sha256:${hex(id)}` },
    ...{ Created: 1_795_167_000, State: "running", Labels: {} },
  };
}

function entry(image: string, digest: string) {
  return { digests: { [image]: digest }, creationTimestamp: 1_795_167_000 };
}

/** An engine that responds like Docker 28, which serves its API only below a version path. */
export function engineOf(containers: readonly unknown[]): RequestListener {
  return ({ url }, response) => {
    const say = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (url === "/_ping") {
      response.writeHead(200, { "api-version": "1.50", "content-type": "text/plain" }).end("OK");
    } else if (url === "/v1.50/containers/json") say(200, containers);
    else {
      const id = /^\/v1\.50\/images\/sha256:([0-9a-f]{64})\/json$/.exec(url ?? "")?.[1] ?? "";
      const digests = IMAGES[id];
      if (digests) say(200, { Id: `sha256:${id}`, RepoDigests: digests });
      else say(404, { message: "No such image" });
    }
  };
}
