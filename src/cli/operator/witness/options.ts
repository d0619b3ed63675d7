import { CONNECTION_OPTIONS } from "../../options.ts";
import { type Definition, flag, text } from "../../usage.ts";

export const WITNESS = {
  group: "Use a service",
  summary: "Cosign the evidence log's checkpoint if the log only grew",
  args: [],
  options: {
    folder: text("DIR", "Folder with the checkpoints that were cosigned"),
    policy: text("FILE", "Keys of the logs that you trust", { otherwise: "policy.txt in the folder" }),
    "trust-first": flag("If there is no policy yet, trust the keys that the service has now"),
    "key-file": text("FILE", "Private key of the witness"),
    "new-key": text("FILE", "Only create a private key, and print its public key"),
    name: text("NAME", "Name of the witness for --new-key, such as acme.example/witness"),
    ...CONNECTION_OPTIONS,
  },
  details:
    "EVIDENCE_WITNESS_KEY can contain the private key itself, instead of --key-file. Run it on a schedule: each run keeps the newest checkpoint in DIR, with the cosignature. A checkpoint that does not continue the last one is kept in DIR too, in a folder named refused.",
  statuses:
    "0 if the checkpoint was cosigned, or the log has no new entries; 1 if it was refused, or on failure; 2 if the service did not answer or refused the request, or the clock was set back",
  examples: [
    "witness --new-key witness.key --name acme.example/witness",
    "witness --folder checkpoints --key-file witness.key --trust-first",
    "witness --folder checkpoints --key-file witness.key",
  ],
} as const satisfies Definition;
