export interface NamedArtifact {
  name: string;
  /** Empty if the artifact is unknown. */
  fingerprint: string;
}

export function artifactKey({ name, fingerprint }: NamedArtifact): string {
  return `${name}\u0000${fingerprint}`;
}
