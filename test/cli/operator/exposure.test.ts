import { describe, expect, it } from "vitest";
import { exposureWarning } from "../../../src/cli/operator/serve-options.ts";

describe("a warning is logged if a service is exposed over plain HTTP", () => {
  it.each([
    ["0.0.0.0", undefined],
    ["::", undefined],
    ["10.0.0.7", "http://evidence.example.org"],
    ["evidence.local", ""],
  ])("at %s with the public address %j", (host, publicUrl) => {
    expect(exposureWarning(host, publicUrl)).toBe(
      `--host ${host} exposes the service over plain HTTP, so keys can be read in transit. Put a TLS proxy in front of it and set --public-url to the https:// address of the proxy`,
    );
  });

  it.each([
    ["127.0.0.1", undefined],
    ["127.1.2.3", undefined],
    ["localhost", undefined],
    ["::1", "http://evidence.example.org"],
    ["0.0.0.0", "https://evidence.example.org"],
    ["::", "HTTPS://evidence.example.org/x"],
  ])("but not at %s with the public address %j", (host, publicUrl) => {
    expect(exposureWarning(host, publicUrl)).toBeUndefined();
  });
});
