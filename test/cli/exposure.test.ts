import { describe, expect, it } from "vitest";
import { exposureWarning } from "../../src/cli/serve-options.ts";

describe("a service is warned of where others reach it over plain HTTP", () => {
  it.each([
    ["0.0.0.0", undefined],
    ["::", undefined],
    ["10.0.0.7", "http://evidence.example.org"],
    ["evidence.local", ""],
  ])("at %s with the public address %j", (host, publicUrl) => {
    expect(exposureWarning(host, publicUrl)).toBe(
      `--host ${host} lets others reach the service over plain HTTP, where keys can be read on the way: put a proxy with TLS before it, and say --public-url https://… with the proxy's address`,
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
