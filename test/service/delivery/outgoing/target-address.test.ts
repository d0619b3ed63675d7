import { describe, expect, test } from "vitest";
import { checkTarget, targetRules } from "../../../../src/service/delivery/outgoing/target-address.ts";

const PUBLIC_ONLY = targetRules({ allowTargets: [] });
const WITH_INNER = targetRules({ allowTargets: ["10.0.0.0/8"], allowHttpTargets: true });

test.each([
  "https://hooks.slack.com/services/T0/B0/x",
  "https://example.com:8443/hooks?key=1#part",
  "https://8.8.8.8/",
  "https://[2606:4700::1111]:4430/",
  "https://xn--bcher-kva.example/",
  "https://bücher.example/",
])("%s may be saved", (url) => {
  expect(checkTarget(url, PUBLIC_ONLY)).toBeUndefined();
});

test.each([
  ["hooks.example.com/x", "not_a_url", "use one such as https://"],
  ["https://", "not_a_url", "use one such as https://"],
  ["https://256.256.256.256/", "not_a_url", "use one such as https://"],
  ["http://example.com/", "scheme", "use https://"],
  ["ftp://example.com/", "scheme", "ftp: addresses are not supported"],
  ["file:///etc/passwd", "scheme", "file: addresses are not supported"],
  ["https://user:secret@example.com/", "credentials", "remove them"],
  ["https://user@example.com/", "credentials", "remove them"],
  ["https://example.com:22/", "port", "Port 22 is reserved for other services: use 443, or a port from 1024"],
  ["https://example.com:80/", "port", "Port 80"],
  ["https://receiver/", "host", "'receiver' is not a public host name"],
  ["https://receiver./", "host", "'receiver' is not"],
  ["https://receiver.ns.svc.cluster.local/", "host", "--allow-targets"],
  ["https://nas.LOCAL./", "host", "'nas.local'"],
  ["https://metadata.google.internal../", "host", "'metadata.google.internal' is a cloud metadata host"],
  ["https://x.internal/", "host", "'x.internal'"],
  ["https://metadata.google.internal/", "host", "'metadata.google.internal'"],
  ["https://127.1/", "address", "127.0.0.1 is a loopback address: use a public address"],
  ["https://[::ffff:10.0.0.1]/", "address", "is a private address"],
  ["https://169.254.169.254/latest", "address", "is a cloud metadata address"],
])("%s may not: %s", (url, reason, words) => {
  const problem = checkTarget(url, PUBLIC_ONLY);
  expect(problem).toEqual({ reason, message: expect.stringContaining(words) });
  // A URL may contain a secret, and refused ones are logged.
  expect(problem?.message).not.toContain("secret");
});

describe("if the operator allows networks", () => {
  test.each([
    "http://10.1.2.3/hooks",
    "https://10.1.2.3:8443/",
    "https://receiver.ns.svc.cluster.local/",
    "https://receiver/",
    "http://localhost:8080/",
  ])("%s may be saved: the addresses of a name decide", (url) => {
    expect(checkTarget(url, WITH_INNER)).toBeUndefined();
  });

  test.each([
    ["https://192.168.1.1/", "address"],
    ["https://metadata.google.internal/", "host"],
    ["http://10.1.2.3:22/", "port"],
  ])("%s may still not", (url, reason) => {
    expect(checkTarget(url, WITH_INNER)).toMatchObject({ reason });
  });
});
