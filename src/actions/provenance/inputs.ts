import { flag, list, text, type ValuesOf } from "../../github/step/input.ts";

export const provenanceInputs = {
  "attestation-bundle": text({
    description:
      "A file with the attestation's Sigstore bundle, as `gh attestation download` or `actions/attest` writes it. GitHub is asked unless given.",
  }),
  "source-repository": text({
    description:
      "The repository that the artifact was built in, as `owner/name`; the job's own unless given.",
  }),
  "source-repository-id": text({
    description:
      "GitHub's id of `source-repository`. A repository that is created again under the same name has another id. The id of the job's own repository is always checked.",
  }),
  "source-events": list({
    description:
      "The events whose runs may sign, such as `push` and `release`; every event unless given, `pull_request` included.",
  }),
  "deny-self-hosted-runners": flag({
    default: "false",
    description: "Refuse an attestation that was signed on a self-hosted runner.",
  }),
  "signer-repository": text({
    description:
      "The repository of the reusable workflow that signed, as `owner/name`; `source-repository` unless given. Excludes `signer-workflow`.",
  }),
  "signer-workflow": text({
    description:
      "The workflow that signed, as `owner/name/.github/workflows/build.yml`, with `@refs/heads/main` that ref alone. Any workflow of the repository unless given.",
  }),
  "predicate-type": text({
    description: "The type of the attestation.",
    default: "https://slsa.dev/provenance/v1",
  }),
  "trusted-root": text({
    description:
      "A file with whom to trust, as `gh attestation trusted-root` writes it: needed for a private repository. Unless given, Sigstore's public instance alone is trusted, which signs for public repositories.",
  }),
};

export type ProvenanceValues = ValuesOf<typeof provenanceInputs>;

export const PROVENANCE_INPUTS: readonly string[] = Object.keys(provenanceInputs);
