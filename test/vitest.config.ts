import { readFileSync, statfsSync } from "node:fs";
import { availableParallelism, platform } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import ChangedFirst from "./changed-first.ts";
import { installedPostgres } from "./postgres/installed.ts";
import { COMPILE_CACHE, NO_MAINTENANCE } from "./program-variables.ts";

/**
 * Tests that start programs, such as bundles, git, a browser, npm, that write very large files, or that send thousands
 * of requests.
 */
const PROGRAMS = [
  "test/{actions,cli,operator,docs,e2e,faults,integrations,release,scripts,workflows}/**/*.test.ts",
  "test/{cli,lockfile,package}.test.ts",
  "test/service/{**/{browser,busy-machine,durability,everyday-tasks,kills,pictures,reference-page},hostile/*}.test.ts",
  "test/service/{events/former-answers,pages/every-page,runtime/evaluations/run}.test.ts",
  "test/github/{events,event/local-git,event/stored-commit,step/run,unwritable}.test.ts",
  "test/kubernetes/{cluster,pod-watch,pods-file}.test.ts",

  "test/{ci/clone,ci/job-runner,clouds/aws/moto,evidence/archive,evidence/rego/evaluate,net/run-program,sources/forbidden,spool/faulty-connection}.test.ts",
];
/** Tests that ask an embedded service in their own process. */
const SERVICE = ["test/{conformance,service}/**/*.test.ts"];
/**
 * Tests that ask a service whose records are in PostgreSQL. Actions depend on the engine only for the digits of numbers
 * and for repeated submissions.
 */
const POSTGRES = [
  "test/{conformance,postgres}/**/*.test.ts",
  "test/e2e/{digits,spool}.test.ts",
  "test/service/{store/{migrations,copy/{copied-database,former-records}},delivery/{attempts/delivery,rules/raised}}.test.ts",
  "test/service/{people/{key-expiry,identity/{projects,unused-origins},sign-in/{device-logins,linked-identities,operators},scim/{pending,rights}},events/former-answers,ops/leases}.test.ts",
];
/** Tests that ask the version of the system. Every statement differs from another version at most by its syntax. */
const INSTALLED = [
  "test/postgres/every-operation.test.ts",
  "test/conformance/{attestations,coverage,search,snapshots,trends}.test.ts",
];
const ALL = ["test/**/*.test.ts"];

/**
 * Temporary files are in memory where Linux has room for them and lets programs start there: on a disk, thousands of
 * commits wait.
 */
if (platform() === "linux" && process.env["TMPDIR"] === undefined) {
  const mounted = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(readFileSync("/proc/mounts", "utf8"))?.[1] ?? "noexec";
  const { bavail, bsize } = statfsSync("/dev/shm");
  if (!mounted.includes("noexec") && bavail * bsize > 4e9) process.env["TMPDIR"] = "/dev/shm";
}

Object.assign(process.env, COMPILE_CACHE, NO_MAINTENANCE);

/** The interface is asked of a second PostgreSQL where the system has one. */
const installed = installedPostgres();

export default defineConfig({
  // Packages that are inlined come without the sources their maps name, which is nothing to tell.
  logLevel: "error",
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    reporters: ["default", "./test/closing-line.ts"],
    sequence: { sequencer: ChangedFirst },
    // A worker loads the sources once for all its files. A test restores what it changes in its process.
    isolate: false,
    // A test waits for programs, servers and timeouts for a part of its time. One worker more than cores uses it; each
    // compiles the sources again, so there are no more.
    maxWorkers: availableParallelism() + 1,
    // Child processes, real servers and files: a slow machine needs room, a fast one never notices.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // It imports JSON the way bundlers take it, which Node alone refuses.
    server: { deps: { inline: ["@actions/workflow-parser"] } },
    coverage: {
      enabled: process.env["COVERAGE"] === "true",
      provider: "v8",
      include: ["src/**"],
      reporter: ["text-summary"],
    },
    projects: [
      {
        extends: true,
        test: {
          name: "programs",
          include: PROGRAMS,
          // `scripts/lint-charts.sh --api-server` builds what it needs, which takes longer than all tests.
          exclude: process.env["REAL_CLUSTER"] === "true" ? [] : ["test/e2e/real-cluster.test.ts"],
          globalSetup: "test/cli/global-setup.ts",
        },
      },
      { extends: true, test: { name: "service", include: SERVICE, exclude: PROGRAMS } },
      {
        extends: true,
        test: {
          name: "postgres",
          include: POSTGRES,
          exclude: ["test/postgres/every-operation.test.ts"],
          env: { TEST_ENGINE: "postgres" },
          globalSetup: ["test/cli/global-setup.ts", "test/postgres/global-setup.ts"],
        },
      },
      ...(installed === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: `postgres ${installed.version}`,
                include: INSTALLED,
                env: { TEST_ENGINE: "postgres" },
                globalSetup: "test/postgres/installed-setup.ts",
              },
            },
          ]),
      {
        extends: true,
        test: { name: "unit", include: ALL, exclude: [...PROGRAMS, ...SERVICE, ...POSTGRES] },
      },
    ],
  },
});
