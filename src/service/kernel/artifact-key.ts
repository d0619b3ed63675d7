export interface NamedArtifact {
  name: string;
  /** Empty when it is not known what runs. */
  fingerprint: string;
}

export function artifactKey({ name, fingerprint }: NamedArtifact): string {
  return `${name}\u0000${fingerprint}`;
}
