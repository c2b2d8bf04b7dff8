// Result: the outcome of an operation that can fail. Expected failures are returned, never thrown.

/** A success that carries its value. */
export type Ok<T> = { readonly ok: true; readonly value: T };

/** A failure that carries its typed error. */
export type Err<E> = { readonly ok: false; readonly error: E };

/** Either a value or a typed error. */
export type Result<T, E> = Ok<T> | Err<E>;

/** Wraps a value as a success. */
export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

/** Wraps an error as a failure. */
export function err<E>(error: E): Err<E> {
  return { ok: false, error };
}
