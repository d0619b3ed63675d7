/*
 * Spools one submission after the other into a folder and prints the name of each when it is spooled, until it kills
 * itself in the middle of a file of the last one.
 */
import { spool } from "../../src/spool/spool.ts";
import { connectTo, fileOf, sampleSubmission } from "./fixtures.ts";

const [folder = "", count = "", dyingFile = ""] = process.argv.slice(2);
const connection = connectTo("http://127.0.0.1:9", "de_key");
for (let number = 0; ; number++) {
  const files = [fileOf("a.txt", "a".repeat(100_000)), fileOf("b.txt", "b".repeat(100_000))];
  const dying = files[Number(dyingFile)];
  if (number === Number(count) && dying)
    Object.defineProperty(dying.content, "stream", { value: dieHalfway });
  const body = { attestationName: `step-${number}`, isCompliant: true };
  process.stdout.write(`${await spool(folder, await sampleSubmission(connection, { body, files }))}\n`);
}

async function* dieHalfway(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("a".repeat(50_000));
  process.kill(process.pid, "SIGKILL");
  await new Promise(() => setInterval(() => {}, 1000));
}
