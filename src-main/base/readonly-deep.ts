import type { JsonValue } from './json-value.ts';

/** The type with all of its members read-only, also inner ones. */
export type ReadonlyDeep<T> = unknown extends T
  ? T
  : JsonValue extends T
    ? T
    : T extends object
      ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> }
      : T;
