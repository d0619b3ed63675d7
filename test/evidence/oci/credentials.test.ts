import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { credentialsFor } from "../../../src/evidence/oci/credentials.ts";
import { parseImageReference } from "../../../src/evidence/oci/reference.ts";
import { shownText } from "../../api/connections.ts";
import { refusal } from "../refusal.ts";
import { planted, temporaryDirectory } from "../temporary-directory.ts";
import { auth, PASSWORD, withDockerConfig, withHelper } from "./logins.ts";

function find(image: string, env: Record<string, string>, signal = new AbortController().signal) {
  return credentialsFor(parseImageReference(image), { env, signal });
}

function password(username: string, secret = PASSWORD) {
  return { kind: "password", username, password: secret };
}

describe("a login in Docker's file", () => {
  test.each([
    ["ghcr.io", "ghcr.io/acme/web"],
    ["https://ghcr.io", "ghcr.io/acme/web"],
    ["https://ghcr.io/", "ghcr.io/acme/web"],
    ["https://ghcr.io/v1/", "ghcr.io/acme/web"],
    ["ghcr.io/v2/", "ghcr.io/acme/web"],
    ["GHCR.io", "ghcr.io/acme/web"],
    ["localhost:5000", "localhost:5000/web"],
    ["http://localhost:5000", "localhost:5000/web"],
    ["[::1]:5000", "[::1]:5000/web"],
    ["https://index.docker.io/v1/", "nginx"],
    ["index.docker.io", "acme/web"],
    ["docker.io", "docker.io/acme/web"],
    ["registry-1.docker.io", "nginx"],
  ])("under '%s' is for %s", async (key, image) => {
    const env = withDockerConfig({ auths: { [key]: { auth: auth() } } });
    expect(await find(image, env)).toEqual(password("ada"));
  });

  test.each([
    ["ghcr.io", "ghcr.io.evil.example/acme/web"],
    ["ghcr.io", "evil.example/ghcr.io/web"],
    ["ghcr.io", "ghcr.io:8443/acme/web"],
    ["localhost:5000", "localhost:5001/web"],
    ["https://index.docker.io/v1/", "ghcr.io/acme/web"],
    ["ghcr.io/acme", "ghcr.io/acme-evil/web"],
  ])("under '%s' is not for %s", async (key, image) => {
    const env = withDockerConfig({ auths: { [key]: { auth: auth() } } });
    expect(await find(image, env)).toBeUndefined();
  });

  test("for a part of a registry takes precedence for its images", async () => {
    const env = withDockerConfig({
      auths: { "quay.io": { auth: auth("all") }, "quay.io/acme": { auth: auth("acme") } },
    });
    expect(await find("quay.io/acme/web", env)).toEqual(password("acme"));
    expect(await find("quay.io/other/web", env)).toEqual(password("all"));
  });

  test("keeps a colon in the password, and drops the zeros that some tools append", async () => {
    const env = withDockerConfig({ auths: { "ghcr.io": { auth: auth("ada", "a:b:é\0\0") } } });
    expect(await find("ghcr.io/a/b", env)).toEqual(password("ada", "a:b:é"));
  });

  test("may be in plain fields, as older tools write it", async () => {
    const env = withDockerConfig({ auths: { "ghcr.io": { username: "ada", password: PASSWORD } } });
    expect(await find("ghcr.io/a/b", env)).toEqual(password("ada"));
  });

  test("is an identity token when it has one", async () => {
    const entry = { auth: auth("00000000-0000-0000-0000-000000000000", ""), identitytoken: "idt" };
    const env = withDockerConfig({ auths: { "acr.example": entry } });
    expect(await find("acr.example/a/b", env)).toEqual({ kind: "identity-token", token: "idt" });
  });

  test.each([
    {},
    "",
    { auths: null },
    { auths: {} },
    { auths: { "ghcr.io": {} } },
    { auths: { "ghcr.io": null } },
    { auths: [], credHelpers: 7, credsStore: null },
  ])("may be missing: %j", async (config) => {
    expect(await find("ghcr.io/a/b", withDockerConfig(config))).toBeUndefined();
  });

  test("is in ~/.docker unless DOCKER_CONFIG names another folder", async () => {
    const config = (user: string) => JSON.stringify({ auths: { "ghcr.io": { auth: auth(user) } } });
    const HOME = planted({ ".docker": { "config.json": config("home") } });
    const DOCKER_CONFIG = planted({ "config.json": config("other") });
    expect(await find("ghcr.io/a/b", { HOME })).toEqual(password("home"));
    expect(await find("ghcr.io/a/b", { HOME, DOCKER_CONFIG })).toEqual(password("other"));
    expect(await find("ghcr.io/a/b", { HOME: temporaryDirectory() })).toBeUndefined();
    expect(await find("ghcr.io/a/b", {})).toBeUndefined();
  });

  test("may be in one of podman's files", async () => {
    const config = (user: string) => JSON.stringify({ auths: { "ghcr.io": { auth: auth(user) } } });
    const XDG_RUNTIME_DIR = planted({ containers: { "auth.json": config("runtime") } });
    const HOME = planted({ ".config": { containers: { "auth.json": config("home") } } });
    const REGISTRY_AUTH_FILE = join(planted({ "auth.json": config("named") }), "auth.json");
    expect(await find("ghcr.io/a/b", { HOME })).toEqual(password("home"));
    expect(await find("ghcr.io/a/b", { HOME, XDG_RUNTIME_DIR })).toEqual(password("runtime"));
    expect(await find("ghcr.io/a/b", { HOME, XDG_RUNTIME_DIR, REGISTRY_AUTH_FILE })).toEqual(
      password("named"),
    );
  });

  test.each([`{"auths": {"ghcr.io": {"auth": "${auth()}"}`, "[]", `"${PASSWORD}"`])(
    "in an invalid file is reported without the file's content",
    async (config) => {
      const env = withDockerConfig(config);
      const error = await refusal(find("ghcr.io/a/b", env));
      expect(error.message).toContain(`'${join(env["DOCKER_CONFIG"] ?? "", "config.json")}'`);
      expect(error.message).toContain("is not a JSON object");
      expect(shownText(error)).not.toContain(PASSWORD);
      expect(shownText(error)).not.toContain(auth());
    },
  );

  test("in an unreadable file is reported", async () => {
    const DOCKER_CONFIG = planted({ "config.json": {} });
    const error = await refusal(find("ghcr.io/a/b", { DOCKER_CONFIG }));
    expect(error.message).toContain(`'${join(DOCKER_CONFIG, "config.json")}' cannot be read (EISDIR)`);
  });
});

describe("a login stored by a helper", () => {
  const secretOf = (user: string) =>
    `echo '${JSON.stringify({ ServerURL: "x", Username: user, Secret: PASSWORD })}'`;

  test.each([
    ["credsStore", { credsStore: "fake", auths: { "ghcr.io": {} } }],
    ["credHelpers", { credHelpers: { "ghcr.io": "fake" }, credsStore: "absent" }],
  ])("named by %s is requested", async (_, config) => {
    const { PATH } = withHelper(secretOf("ada"));
    const env = { ...withDockerConfig(config), PATH };
    expect(await find("ghcr.io/a/b", env)).toEqual(password("ada"));
  });

  test.each([
    ["ghcr.io/a/b", "ghcr.io"],
    ["localhost:5000/b", "localhost:5000"],
    ["nginx", "https://index.docker.io/v1/"],
  ])("for %s is requested by Docker's name for it, %s", async (image, server) => {
    const { PATH, folder } = withHelper(`[ "$1" = get ] && cat > "\${0%/*}/asked"; ${secretOf("ada")}`);
    await find(image, { ...withDockerConfig({ credsStore: "fake" }), PATH });
    expect(readFileSync(join(folder, "asked"), "utf8")).toBe(server);
  });

  test("is requested in the given environment only", async () => {
    const { PATH, folder } = withHelper(`env > "\${0%/*}/env"; ${secretOf("ada")}`);
    await find("ghcr.io/a/b", { ...withDockerConfig({ credsStore: "fake" }), PATH, CLOUD_TOKEN: "ct" });
    const seen = readFileSync(join(folder, "env"), "utf8")
      .split("\n")
      .map((line) => line.split("=")[0] ?? "");
    const ofTheShell = ["PWD", "OLDPWD", "SHLVL", "_", ""];
    expect(seen.filter((name) => !ofTheShell.includes(name)).sort()).toEqual([
      "CLOUD_TOKEN",
      "DOCKER_CONFIG",
      "PATH",
    ]);
  });

  test("is an identity token if the helper returns the user '<token>'", async () => {
    const { PATH } = withHelper(secretOf("<token>"));
    const env = { ...withDockerConfig({ credsStore: "fake" }), PATH };
    expect(await find("ghcr.io/a/b", env)).toEqual({ kind: "identity-token", token: PASSWORD });
  });

  test("may not exist: then the file is read, which may lack it as well", async () => {
    const { PATH } = withHelper("echo 'credentials not found in native keychain'; exit 1");
    const none = { ...withDockerConfig({ credsStore: "fake" }), PATH };
    expect(await find("ghcr.io/a/b", none)).toBeUndefined();
    const auths = { "ghcr.io": { auth: auth("file") } };
    const file = { ...withDockerConfig({ credsStore: "fake", auths }), PATH };
    expect(await find("ghcr.io/a/b", file)).toEqual(password("file"));
  });

  test.each([
    ["fails", `echo '${PASSWORD}'; echo '${PASSWORD}' >&2; exit 3`, "failed with exit status 3"],
    ["says nothing", "exit 0", "returned an unreadable response"],
    ["says something else", `echo '${PASSWORD}'`, "returned an unreadable response"],
  ])("by a helper that %s is reported without the helper's output", async (_, script, expected) => {
    const { PATH } = withHelper(script);
    const env = { ...withDockerConfig({ credsStore: "fake" }), PATH };
    const error = await refusal(find("ghcr.io/a/b", env));
    expect(error.message).toContain(`'docker-credential-fake' ${expected}`);
    expect(error.advice).toContain("'docker-credential-fake list'");
    expect(shownText(error)).not.toContain(PASSWORD);
  });

  test.each(["absent", "../fake", "fake get; true", ""])(
    "by a missing helper is reported: '%s'",
    async (name) => {
      const { PATH } = withHelper(secretOf("ada"));
      const env = { ...withDockerConfig({ credHelpers: { "ghcr.io": name } }), PATH };
      if (name === "") return expect(await find("ghcr.io/a/b", env)).toBeUndefined();
      const error = await refusal(find("ghcr.io/a/b", env));
      expect(error.message).toContain(`'docker-credential-${name}' cannot be started`);
      expect(error.advice).toContain("on PATH");
    },
  );

  test("by a helper that never ends is abandoned with the signal, and the helper is stopped", async () => {
    const { PATH, folder } = withHelper(
      'echo $$ > "${0%/*}/pid.new"; mv "${0%/*}/pid.new" "${0%/*}/pid"; exec sleep 600',
    );
    const controller = new AbortController();
    const env = { ...withDockerConfig({ credsStore: "fake" }), PATH };
    const work = find("ghcr.io/a/b", env, controller.signal);
    const outcome = expect(work).rejects.toThrow("time is up");
    const pidFile = join(folder, "pid");
    while (!existsSync(pidFile)) await delay(5);
    controller.abort(new Error("time is up"));
    await outcome;
    const pid = Number(readFileSync(pidFile, "utf8"));
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });

  test("is not requested once the time is up", async () => {
    const { PATH, folder } = withHelper('touch "${0%/*}/ran"');
    const env = { ...withDockerConfig({ credsStore: "fake" }), PATH };
    await expect(find("ghcr.io/a/b", env, AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });
});
