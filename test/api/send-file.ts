/*
 * A program of its own: it attests the files it is given, or the same without any. It prints the
 * most memory it held, in bytes.
 */
import { openAsBlob } from "node:fs";
import { peakMemory } from "../../scripts/bench/peak-memory.ts";
import { EvidenceClient } from "../../src/api/client.ts";

const [baseUrl = "", ...paths] = process.argv.slice(2);
const client = new EvidenceClient({ apiKey: "key", org: "acme", baseUrl });
const files = await Promise.all(
  paths.map(async (path) => ({ name: "big.bin", path, content: await openAsBlob(path) })),
);
await client.attestGeneric({
  flowName: "web",
  trailName: "v1",
  body: { attestationName: "big", isCompliant: true },
  files: { attachmentFile: files },
});
await client.close();
process.stdout.write(String(peakMemory() * 1024));
