/** The part of the global that is used here; the libraries of TypeScript have it only for browsers. */
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBufferLike;
    grow(pages: number): number;
  }
}
