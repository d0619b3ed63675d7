import { describe, expect, test } from "vitest";

import { type ProxyVariables, proxyFor, UnusableProxy } from "../../src/net/proxy.ts";

const TARGET = "https://app.example.com/api/v2";

function proxyOf(variables: ProxyVariables, target = TARGET): string | undefined {
  return proxyFor(new URL(target), variables)?.href;
}

describe("the proxy for an address", () => {
  test.each<[string, ProxyVariables, string | undefined]>([
    ["none when nothing is set", {}, undefined],
    ["none when the variable is blank", { HTTPS_PROXY: "  " }, undefined],
    ["that of its scheme", { HTTPS_PROXY: "http://p:3128", HTTP_PROXY: "http://q" }, "http://p:3128/"],
    ["not that of another scheme", { HTTP_PROXY: "http://q:1" }, undefined],
    [
      "the lower-case variable before the upper-case one",
      { https_proxy: "http://low", HTTPS_PROXY: "http://up" },
      "http://low/",
    ],
    ["read as http:// without a scheme", { HTTPS_PROXY: "p.corp:3128" }, "http://p.corp:3128/"],
    [
      "read as http:// without a scheme, credentials included",
      { HTTPS_PROXY: "u:s%40@p:3128" },
      "http://u:s%40@p:3128/",
    ],
    ["reached over TLS when it says so", { HTTPS_PROXY: "https://p:3128" }, "https://p:3128/"],
    ["that for all when its scheme has none", { ALL_PROXY: "http://all:1" }, "http://all:1/"],
    [
      "that of its scheme before that for all",
      { ALL_PROXY: "http://all:1", HTTPS_PROXY: "http://p:1" },
      "http://p:1/",
    ],
  ])("is %s", (_, variables, expected) => {
    expect(proxyOf(variables)).toBe(expected);
  });

  test("is that of HTTP_PROXY for an http:// address", () => {
    expect(proxyOf({ HTTP_PROXY: "http://q:1", HTTPS_PROXY: "http://p:1" }, "http://app.example.com")).toBe(
      "http://q:1/",
    );
  });

  test.each(["http://localhost:8800", "http://127.0.0.1:8800", "http://127.9.9.9", "http://[::1]:8800"])(
    "is none for this machine, or the key would be sent unencrypted: %s",
    (target) => {
      expect(proxyOf({ HTTP_PROXY: "http://q:1", ALL_PROXY: "http://q:1" }, target)).toBeUndefined();
    },
  );
});

describe("NO_PROXY", () => {
  const exempt = (noProxy: string, target: string, name = "NO_PROXY") =>
    proxyOf({ HTTPS_PROXY: "http://p:1", HTTP_PROXY: "http://p:1", [name]: noProxy }, target) === undefined;

  test.each([
    ["app.example.com", "https://app.example.com"],
    ["APP.Example.com", "https://app.example.com"],
    ["example.com", "https://app.example.com"],
    [".example.com", "https://app.example.com"],
    ["*.example.com", "https://app.example.com"],
    ["app.example.com:443", "https://app.example.com"],
    ["app.example.com:80", "http://app.example.com"],
    ["app.example.com:8443", "https://app.example.com:8443"],
    ["*", "https://app.example.com"],
    ["other.example, app.example.com", "https://app.example.com"],
    ["other.example app.example.com", "https://app.example.com"],
    ["10.1.2.3", "https://10.1.2.3"],
    ["2001:db8::1", "https://[2001:db8::1]"],
    ["[2001:db8::1]", "https://[2001:db8::1]"],
    ["[2001:db8::1]:8443", "https://[2001:db8::1]:8443"],
  ])("'%s' exempts %s", (noProxy, target) => {
    expect(exempt(noProxy, target)).toBe(true);
  });

  test.each([
    ["", "https://app.example.com"],
    ["ample.com", "https://app.example.com"],
    ["app.example.com.evil.org", "https://app.example.com"],
    ["app.example.com", "https://example.com"],
    ["app.example.com:8443", "https://app.example.com"],
    ["app.example.com:443", "http://app.example.com"],
    ["10.0.0.0/8", "https://10.1.2.3"],
    ["[2001:db8::1]:8443", "https://[2001:db8::1]"],
    ["2001:db8::2", "https://[2001:db8::1]"],
    [".", "https://app.example.com"],
  ])("'%s' does not exempt %s", (noProxy, target) => {
    expect(exempt(noProxy, target)).toBe(false);
  });

  test("may be written in lower case", () => {
    expect(exempt("app.example.com", "https://app.example.com", "no_proxy")).toBe(true);
  });
});

describe("an invalid proxy is rejected, by its variable and without its password:", () => {
  test.each<[ProxyVariables, string]>([
    [{ HTTPS_PROXY: "socks5://user:hunter2@p:1080" }, "HTTPS_PROXY"],
    [{ ALL_PROXY: "socks5h://user:hunter2@p:1080" }, "ALL_PROXY"],
    [{ all_proxy: "socks://user:hunter2@p" }, "all_proxy"],
    [{ https_proxy: "ftp://user:hunter2@p" }, "https_proxy"],
    [{ HTTPS_PROXY: "http://user:hunter2@" }, "HTTPS_PROXY"],
    [{ HTTPS_PROXY: "http://user:hunter2@p:port" }, "HTTPS_PROXY"],
    [{ HTTPS_PROXY: "http://user:hunter2%@p:1" }, "HTTPS_PROXY"],
  ])("%o", (variables, name) => {
    let error: unknown;
    try {
      proxyOf(variables);
    } catch (caught) {
      error = caught;
    }
    if (!(error instanceof UnusableProxy)) expect.fail(`expected an UnusableProxy, got ${String(error)}`);
    expect(error.variable).toBe(name);
    expect(error.message).not.toContain("hunter2");
  });

  test("unless the address is exempt from it", () => {
    expect(proxyOf({ ALL_PROXY: "socks5://p", NO_PROXY: "app.example.com" })).toBeUndefined();
  });
});
