import { describe, expect, test } from "vitest";
import { junitSubmission } from "../../../src/api/resources/attestation-kinds.ts";
import { toWire } from "../../../src/api/wire-names.ts";
import { fixture } from "../fixtures/fixture.ts";
import { resultsOf } from "./read.ts";

describe("the test results of", () => {
  test("Maven Surefire count tests that passed only in a rerun, and locate failures by class and line", async () => {
    const { suites, counts, failures } = await resultsOf({
      "shop/target/surefire-reports/TEST-com.acme.CartTest.xml": fixture("test-results/surefire.xml"),
      "shop/src/test/java/com/acme/CartTest.java": "",
    });
    expect(suites).toEqual([
      { name: "com.acme.CartTest", failures: 1, errors: 1, skipped: 1, total: 6, duration: 1235.283 },
    ]);
    expect(counts).toEqual({
      total: 6,
      passed: 3,
      failures: 1,
      errors: 1,
      skipped: 1,
      flaky: 2,
      duration: 1235.283,
    });
    expect(failures).toEqual([
      {
        kind: "failure",
        suite: "com.acme.CartTest",
        className: "com.acme.CartTest",
        name: "removes",
        message: "expected: <1> but was: <2>",
        report: "shop/target/surefire-reports/TEST-com.acme.CartTest.xml",
        location: { file: "shop/src/test/java/com/acme/CartTest.java", line: 31 },
      },
      {
        kind: "error",
        suite: "com.acme.CartTest",
        className: "com.acme.CartTest",
        name: "discounts",
        message: "java.lang.NullPointerException",
        report: "shop/target/surefire-reports/TEST-com.acme.CartTest.xml",
        location: { file: "shop/src/test/java/com/acme/CartTest.java", line: 44 },
      },
    ]);
  });

  test("pytest have the time of the suite, and the repository's file that failed", async () => {
    const { suites, failures } = await resultsOf({ "report.xml": fixture("test-results/pytest.xml") });
    expect(suites).toEqual([
      {
        name: "pytest",
        failures: 1,
        errors: 1,
        skipped: 1,
        total: 4,
        duration: 0.013,
        timestamp: Date.UTC(2026, 4, 4, 8, 11, 12, 345) / 1000,
      },
    ]);
    expect(failures.map(({ kind, name, location }) => ({ kind, name, location }))).toEqual([
      { kind: "failure", name: "test_removes", location: { file: "tests/test_cart.py", line: 9 } },
      { kind: "error", name: "test_db", location: { file: "tests/conftest.py", line: 21 } },
    ]);
    expect(failures[0]?.message).toBe("assert 2 == 1\n +  where 2 = len([1, 2])");
  });

  test("vitest in a package of the repository are located in that package", async () => {
    const { failures } = await resultsOf({
      "packages/cart/reports/junit.xml": fixture("test-results/vitest.xml"),
      "packages/cart/src/cart.test.ts": "",
    });
    expect(failures.map(({ name, location }) => [name, location])).toEqual([
      ["cart > removes", { file: "packages/cart/src/cart.test.ts", line: 10 }],
    ]);
  });

  test("PHPUnit count nested suites where their tests are, with the runner's paths mapped to the repository", async () => {
    const { suites, counts, failures } = await resultsOf({
      "junit.xml": fixture("test-results/phpunit.xml"),
    });
    expect(suites.map(({ name, total, failures: failed }) => [name, total, failed])).toEqual([
      ["Tests\\CartTest::testRemoves", 2, 1],
      ["Tests\\CartTest", 1, 0],
    ]);
    expect(counts.total).toBe(3);
    expect(failures[0]?.location).toEqual({ file: "tests/CartTest.php", line: 19 });
  });

  test("gotestsum find a bare file name in the folder of its package", async () => {
    const { suites, failures } = await resultsOf({
      "junit.xml": fixture("test-results/gotestsum.xml"),
      "cart/cart_test.go": "",
    });
    expect(suites.map(({ name, timestamp }) => [name, timestamp])).toEqual([
      ["example.com/shop/cart", Date.UTC(2026, 4, 4, 8, 11, 12) / 1000],
      ["example.com/shop", Date.UTC(2026, 4, 4, 8, 11, 12) / 1000],
    ]);
    expect(failures[0]?.location).toEqual({ file: "cart/cart_test.go", line: 14 });
  });

  test("GoogleTest count a test with two failures once, and a disabled one as skipped", async () => {
    const { counts, failures, suites } = await resultsOf({
      "junit.xml": fixture("test-results/googletest.xml"),
    });
    expect(counts).toMatchObject({ total: 3, passed: 1, failures: 1, errors: 0, skipped: 1 });
    expect(failures[0]?.location).toEqual({ file: "tests/cart_test.cc", line: 9 });
    expect(failures[0]?.message).toMatch(/^tests\/cart_test\.cc:11\n/);
    // A time without its zone is ambiguous.
    expect(suites[0]).not.toHaveProperty("timestamp");
  });

  test(".NET are read though they claim to be UTF-16, with Windows paths mapped to the repository", async () => {
    const { counts, failures } = await resultsOf({ "results.xml": fixture("test-results/dotnet.xml") });
    expect(counts).toMatchObject({ total: 2, failures: 1 });
    expect(failures[0]?.location).toEqual({ file: "tests/CartTests.cs", line: 17 });
  });
});

test("the suites are the results of a junit attestation", async () => {
  const { suites } = await resultsOf({ "r.xml": fixture("test-results/pytest.xml") });
  const wire = toWire(junitSubmission, { attestationName: "tests", junitResults: suites });
  expect(junitSubmission.safeParse(wire).error).toBeUndefined();
  expect(wire).toMatchObject({ junit_results: [{ name: "pytest", failures: 1, errors: 1, total: 4 }] });
});

test("files of several tools are counted together, in the order of their paths", async () => {
  const { counts, reports, compliant, reason } = await resultsOf({
    "b.xml": fixture("test-results/vitest.xml"),
    "a.xml": fixture("test-results/pytest.xml"),
  });
  expect(counts).toMatchObject({ total: 7, passed: 2, failures: 2, errors: 1, skipped: 2 });
  expect(reports).toEqual(["a.xml", "b.xml"]);
  expect({ compliant, reason }).toEqual({ compliant: false, reason: "3 of 7 tests failed" });
});
