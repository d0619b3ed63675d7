import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { imageName, repoDigest } from "../../src/kubernetes/image.ts";

const DIGEST = "0123456789abcdef".repeat(4);

describe("the digest of an image ID", () => {
  test.each([
    ["docker.io/library/nginx@sha256:", DIGEST],
    ["reg.example:5000/team/app@sha256:", DIGEST],
    ["reg.example/app:1.2@sha256:", DIGEST],
    ["docker-pullable://reg.example/app@sha256:", DIGEST],
  ])("is the part after '%s'", (before, digest) => {
    expect(repoDigest(before + digest)).toBe(digest);
    expect(repoDigest((before + digest).toUpperCase().replace("DOCKER-PULLABLE", "docker-pullable"))).toBe(
      digest,
    );
  });

  test.each([
    ["the digest of a configuration", `docker://sha256:${DIGEST}`],
    ["the digest of a configuration without a runtime", `sha256:${DIGEST}`],
    ["a bare number", DIGEST],
    ["nothing", ""],
    ["a runtime without an ID", "docker-pullable://"],
    ["a tag", "reg.example/app:1.2"],
    ["a digest that is too short", `reg.example/app@sha256:${DIGEST.slice(1)}`],
    ["a digest that is too long", `reg.example/app@sha256:0${DIGEST}`],
    ["a sha512", `reg.example/app@sha512:${DIGEST}${DIGEST}`],
    ["a sha512 of the length of a sha256", `reg.example/app@sha512:${DIGEST}`],
    ["characters that are not hex digits", `reg.example/app@sha256:${"g".repeat(64)}`],
    ["a digest without a repository", `@sha256:${DIGEST}`],
    ["a digest with a suffix", `reg.example/app@sha256:${DIGEST}\n`],
  ])("is unknown when it is %s", (_, imageID) => {
    expect(repoDigest(imageID)).toBeUndefined();
  });

  test("is 64 lower-case hex digits or unknown, whatever the runtime returns", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."a1F@:/sha256-g ") }), (text) => {
        expect(repoDigest(text) ?? DIGEST).toMatch(/^[a-f0-9]{64}$/);
        expect(repoDigest(`${text}@sha256:${DIGEST}`) ?? DIGEST).toBe(DIGEST);
      }),
    );
  });
});

describe("the name of an image", () => {
  const imageID = `reg.example/app@sha256:${DIGEST}`;

  test.each([
    ["the runtime's name", "docker.io/library/nginx:1.27", "nginx:1.27", "docker.io/library/nginx:1.27"],
    ["the runtime's name, also with a digest", imageID, "app:1", imageID],
    ["the specified one in full", `sha256:${DIGEST}`, "nginx:1.27", "docker.io/library/nginx:1.27"],
    ["the specified one below its owner", `sha256:${DIGEST}`, "team/app:1", "docker.io/team/app:1"],
    ["the specified one at its registry", DIGEST, "reg.example:5000/a/b:1", "reg.example:5000/a/b:1"],
    ["the specified one at a local registry", DIGEST, "localhost/a:1", "localhost/a:1"],
    [
      "the specified one at Docker Hub's old name",
      DIGEST,
      "index.docker.io/nginx:1",
      "docker.io/library/nginx:1",
    ],
    [
      "the specified one without its digest",
      "",
      `nginx:1.27@sha256:${DIGEST}`,
      "docker.io/library/nginx:1.27",
    ],
    ["the image ID when no tag is specified", `sha256:${DIGEST}`, "reg.example:5000/app", imageID],
    [
      "the image ID when only a digest is specified",
      `sha256:${DIGEST}`,
      `reg.example/app@sha256:${DIGEST}`,
      imageID,
    ],
    ["the image ID when nothing else has a name", "", "", imageID],
  ])("is %s", (_, runtime, specified, name) => {
    expect(imageName({ runtime, specified, imageID })).toBe(name);
  });

  test.each([
    [`sha256:${DIGEST}`, "app", "", `sha256:${DIGEST}`],
    ["", "app", "", "app"],
    ["", "", `docker://sha256:${DIGEST}`, `sha256:${DIGEST}`],
  ])(
    "is the best available when none is a registry's name ('%s', '%s', '%s')",
    (runtime, specified, id, name) => {
      expect(imageName({ runtime, specified, imageID: id })).toBe(name);
    },
  );
});
