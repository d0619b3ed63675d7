import { expect, test } from "vitest";
import { resourceUri } from "../../../../src/service/runtime/statements/resource-uri.ts";

const fingerprint = "a".repeat(64);
const link = "https://npm.example/web-1.2.tgz";
const labeled = (artifact: unknown) => JSON.stringify({ external_urls: { artifact } });

test.each([
  ["web.tgz", labeled(link), link],
  ["web.tgz", labeled({ href: link }), link],
  ["ghcr.io/acme/web:1.2", "{}", "ghcr.io/acme/web"],
  [`localhost:5000/web@sha256:${fingerprint}`, labeled(""), "localhost:5000/web"],
  ["build/my app.tgz", "{}", `pkg:generic/build%2Fmy%20app.tgz?checksum=sha256:${fingerprint}`],
])("consumers fetch %s with %s from %s", (filename, details, expected) => {
  expect(resourceUri({ filename, fingerprint, details })).toBe(expected);
});
