import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

export interface Certificate {
  readonly key: Buffer;
  readonly cert: Buffer;
  /** Path of the certificate, for programs that must trust it. */
  readonly path: string;
}

/** Configuration of `openssl ca`, which alone can create a certificate of the past. */
const AUTHORITY = `
[ca]
default_ca = test
[test]
database = index.txt
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
copy_extensions = copy
[any]
commonName = supplied
`;

/** A self-signed certificate for these names, created for this test only; an expired one is years old. */
export function selfSigned(names: readonly string[], validity: "valid" | "expired" = "valid"): Certificate {
  const cwd = mkdtempSync(join(tmpdir(), "evidence-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return certificateIn(cwd, names, validity);
}

/** The same, in a folder that the caller removes. */
export function certificateIn(
  cwd: string,
  names: readonly string[],
  validity: "valid" | "expired" = "valid",
): Certificate {
  const openssl = (line: string) => execFileSync("openssl", line.split(" "), { cwd, stdio: "pipe" });
  const alternatives = names.map((name) => `DNS:${name}`).join(",");
  const request =
    "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=evidence-test " +
    `-keyout key.pem -addext subjectAltName=${alternatives}`;
  if (validity === "valid") {
    openssl(`req -x509 -days 2 ${request} -out cert.pem`);
  } else {
    writeFileSync(join(cwd, "index.txt"), "");
    writeFileSync(join(cwd, "ca.cnf"), AUTHORITY);
    openssl(`req -new ${request} -out request.pem`);
    openssl(
      "ca -batch -notext -selfsign -config ca.cnf -in request.pem -keyfile key.pem -out cert.pem " +
        "-startdate 20200101000000Z -enddate 20200102000000Z",
    );
  }
  const path = join(cwd, "cert.pem");
  return { key: readFileSync(join(cwd, "key.pem")), cert: readFileSync(path), path };
}
