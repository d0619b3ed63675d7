/** Item of a list, from the body of a response with the list. */
export type ItemOf<Body> = Body extends readonly (infer Item)[]
  ? Item
  : Body extends { data: readonly (infer Item)[] }
    ? Item
    : ListsIn<Declared<Body>>;
type Declared<T> = { [K in keyof T as string extends K ? never : K]: T[K] };
type ListsIn<T> = { [K in keyof T]-?: T[K] extends readonly (infer Item)[] ? Item : never }[keyof T];
