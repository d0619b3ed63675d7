import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/api/client/errors.ts";
import { imageName, parseImageReference } from "../../../src/evidence/oci/reference.ts";

const digest = "0123456789abcdef".repeat(4);

function refusalOf(text: string): InputError {
  try {
    parseImageReference(text);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  return expect.fail(`'${text}' was accepted`);
}

describe("the name of an image", () => {
  test.each([
    ["nginx", "docker.io/library/nginx:latest"],
    ["nginx:1.27", "docker.io/library/nginx:1.27"],
    ["acme/web", "docker.io/acme/web:latest"],
    ["docker.io/nginx", "docker.io/library/nginx:latest"],
    ["index.docker.io/nginx", "docker.io/library/nginx:latest"],
    ["docker.io/acme/web:v1", "docker.io/acme/web:v1"],
    ["ghcr.io/acme/web/api:1.2", "ghcr.io/acme/web/api:1.2"],
    ["localhost/web", "localhost/web:latest"],
    ["localhost:5000/web", "localhost:5000/web:latest"],
    ["localhost:5000", "docker.io/library/localhost:5000"],
    ["reg:5000/web:2", "reg:5000/web:2"],
    ["Reg.Example/web", "Reg.Example/web:latest"],
    ["[::1]:5000/web:2", "[::1]:5000/web:2"],
    ["[2001:db8::1]/web", "[2001:db8::1]/web:latest"],
    ["ghcr.io/a/my__app-x.y--z:V1_2.3-rc", "ghcr.io/a/my__app-x.y--z:V1_2.3-rc"],
    [" ghcr.io/a/b\n", "ghcr.io/a/b:latest"],
    [`nginx@sha256:${digest}`, `docker.io/library/nginx@sha256:${digest}`],
    [`reg.example:5000/a/b:1@sha256:${digest.toUpperCase()}`, `reg.example:5000/a/b:1@sha256:${digest}`],
  ])("%j is %s", (given, whole) => {
    const reference = parseImageReference(given);
    expect(imageName(reference)).toBe(whole);
    expect(reference.plainHttp).toBe(false);
  });

  test("with the prefix http:// has a registry without TLS", () => {
    const reference = parseImageReference("http://reg.internal:5000/web:2");
    expect(imageName(reference)).toBe("reg.internal:5000/web:2");
    expect(reference.plainHttp).toBe(true);
  });

  test.each([
    ["", "is not the name of an image"],
    ["ghcr.io/", "is not the name of an image"],
    ["/web", "is not the name of an image"],
    ["acme//web", "is not the name of an image"],
    ["a:b:c", "is not the name of an image"],
    ["acme/we b", "is not the name of an image"],
    ["acme/../web", "is not the name of an image"],
    ["acme/web?x=1", "is not the name of an image"],
    ["acme/web#x", "is not the name of an image"],
    ["acme/-web", "is not the name of an image"],
    [`acme/web:${"t".repeat(129)}`, "is not the name of an image"],
    [`acme/${"w".repeat(251)}`, "is not the name of an image"],
    ["a".repeat(2000), "is not the name of an image"],
    ["ghcr.io/Acme/web", "must be in lower case"],
    ["Nginx", "must be in lower case"],
    ["Acme/web", "must be in lower case"],
    ["user@ghcr.io/a/b", "has a digest that is not a sha256"],
    ["ghcr.io/a/b@", "has a digest that is not a sha256"],
    [`ghcr.io/a/b@sha512:${digest}${digest}`, "has a digest that is not a sha256"],
    [`ghcr.io/a/b@sha256:${digest}0`, "has a digest that is not a sha256"],
    ["https://ghcr.io/a/b", "without https://"],
    ["-reg.example/a", "has an invalid registry"],
    ["reg.example:99999/a", "has an invalid registry"],
    ["reg.example:/a", "has an invalid registry"],
    ["[::g]/a", "has an invalid registry"],
    ["::1/a", "has an invalid registry"],
  ])("%j is rejected", (given, expected) => {
    expect(refusalOf(given).message).toContain(expected);
  });

  test.each([digest, `sha256:${digest}`])("%s is a digest, and belongs in fingerprint", (given) => {
    expect(refusalOf(given).advice).toContain("`fingerprint`");
  });

  test("that is very long is truncated in the error", () => {
    expect(refusalOf(`acme/${"W".repeat(900)}`).message.length).toBeLessThan(200);
  });

  test("is rejected or normalized to a name with the same meaning", () => {
    const part = fc.stringMatching(/^[\w.:@/[\]-]{0,12}$/);
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        try {
          const reference = parseImageReference(parts.join("/"));
          expect(parseImageReference(imageName(reference))).toEqual(reference);
        } catch (error) {
          expect(error).toBeInstanceOf(InputError);
        }
      }),
    );
  });
});
