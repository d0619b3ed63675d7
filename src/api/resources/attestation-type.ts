/**
 * Whether an attestation has the required type. `*` means any type, and system types have short names: `system:decision`
 * is a `decision`.
 */
export function isOfType(type: string, required: string): boolean {
  return required === "*" || type === required || type === `system:${required}`;
}
