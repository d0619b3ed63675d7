/** `1 image or app`, `2 images or apps`. @param things plural, by an `s` at the end of its nouns */
export function counted(count: number, things: string): string {
  return `${count} ${count === 1 ? things.replace(/s\b/g, "") : things}`;
}
