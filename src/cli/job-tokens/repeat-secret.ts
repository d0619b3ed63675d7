import { createHash, randomBytes } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The secret with which the commands of a job exchange its only token again. A file of the job keeps it. Undefined if
 * that file cannot be written, so that only the first command can exchange the token.
 */
export async function repeatSecret(token: string): Promise<string | undefined> {
  const name = createHash("sha256").update(token).digest("hex").slice(0, 32);
  const file = join(tmpdir(), `delivery-evidence-${name}`);
  const secret = randomBytes(32).toString("base64url");
  const own = `${file}-${secret.slice(0, 8)}`;
  try {
    await writeFile(own, secret, { flag: "wx", mode: 0o600 });
    // Of commands that start together, one creates the file, with all of its content.
    await link(own, file);
    return secret;
  } catch {
    return await storedIn(file);
  } finally {
    await rm(own, { force: true });
  }
}

async function storedIn(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.length >= 32 ? text : undefined;
}
