/** TypeScript declares this global only in its browser libraries. */
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBufferLike;
    grow(pages: number): number;
  }
}
