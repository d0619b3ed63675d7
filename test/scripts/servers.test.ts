import { basename, delimiter, dirname } from "node:path";
import { expect, test } from "vitest";
import { haproxyConfig } from "../../scripts/servers/haproxy.ts";
import { patroniConfig } from "../../scripts/servers/patroni.ts";
import { missingPrograms } from "../../scripts/servers/programs.ts";

test("HAProxy asks each server at its own port, or at the port of what runs it", () => {
  const servers = [{ port: 5432, checkPort: 8008 }, { port: 5433 }];
  const lines = haproxyConfig({ mode: "tcp", port: 5000, check: "/primary", servers }).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "  mode tcp",
      "  bind 127.0.0.1:5000",
      "  option httpchk GET /primary",
      "  server s0 127.0.0.1:5432 check port 8008",
      "  server s1 127.0.0.1:5433 check port 5433",
    ]),
  );
});

test("a member of a Patroni cluster commits with its standby, and keeps to its folder and the loopback address", () => {
  const member = { name: "a", folder: "/tmp/a", port: 5432, apiPort: 8008, programs: "/bin", etcdPort: 2379 };
  expect(JSON.parse(patroniConfig(member))).toMatchObject({
    name: "a",
    restapi: { listen: "127.0.0.1:8008" },
    etcd3: { host: "127.0.0.1:2379" },
    bootstrap: { dcs: { synchronous_mode: true } },
    postgresql: {
      listen: "127.0.0.1:5432",
      data_dir: "/tmp/a/data",
      parameters: { unix_socket_directories: "/tmp/a" },
    },
  });
});

test("a missing program is named", () => {
  const [own, path] = [
    basename(process.execPath),
    ["no-such-folder", dirname(process.execPath)].join(delimiter),
  ];
  expect(missingPrograms([own, "no-such-program"], path)).toEqual(["no-such-program"]);
});
