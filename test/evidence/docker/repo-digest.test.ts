import { expect, test } from "vitest";
import { InputError } from "../../../src/api/client/errors.ts";
import { chooseRepoDigest } from "../../../src/evidence/docker/repo-digest.ts";
import { parseImageReference } from "../../../src/evidence/oci/reference.ts";

const a = "a".repeat(64);
const b = "b".repeat(64);

function choose(image: string, repoDigests: string[]): string {
  return chooseRepoDigest(parseImageReference(image), repoDigests);
}

test.each([
  ["nginx:1.27", [`nginx@sha256:${a}`]],
  ["docker.io/library/nginx", [`nginx@sha256:${a}`]],
  ["nginx", [`docker.io/library/nginx@sha256:${a}`]],
  ["acme/web", [`ghcr.io/acme/web@sha256:${b}`, `acme/web@sha256:${a}`]],
  ["acme/web", [`acme/other@sha256:${b}`, `acme/web@sha256:${a}`]],
  ["localhost:5000/web:2", [`web@sha256:${b}`, `localhost:5000/web@sha256:${a}`]],
  ["acme/web", ["<none>@<none>", `acme/web@sha256:${a}`, `acme/web@sha256:${a}`]],
])("%s is found in %j", (image, repoDigests) => {
  expect(choose(image, repoDigests)).toBe(a);
});

test("an image with a digest in another repository only has none in this one", () => {
  const choosing = () => choose("ghcr.io/acme/web", [`quay.io/acme/web@sha256:${a}`, `acme/web@sha256:${a}`]);
  expect(choosing).toThrow(InputError);
  expect(choosing).toThrow(
    "has no digest in its own repository yet, but has one in quay.io/acme/web, docker.io/acme/web",
  );
});

test("two digests in one repository are ambiguous", () => {
  const choosing = () => choose("acme/web", [`acme/web@sha256:${a}`, `acme/web@sha256:${b}`]);
  expect(choosing).toThrow(InputError);
  expect(choosing).toThrow("has 2 digests in its own repository");
});
