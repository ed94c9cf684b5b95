/** A member that no object has: it carries what the compiler has to know of how a value is sent. */
declare const sentForm: unique symbol;

/** Marks the members of a struct that are always on the wire: who sends it may leave them out, and the server fills them. */
export interface Filled<K extends PropertyKey> {
  readonly [sentForm]?: { readonly filled: K };
}

/** Marks a type that is sent as another: that of a schema's input. */
export interface SentAs<Input> {
  readonly [sentForm]?: { readonly as: Input };
}

type Mark<T> = typeof sentForm extends keyof T ? NonNullable<T[typeof sentForm]> : undefined;

/** A value as it may be sent, at every depth: without what the server fills. */
export type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? Mark<T> extends { readonly as: infer Input }
      ? Input
      : Mark<T> extends { readonly filled: infer K }
        ? SentStruct<T, K>
        : { [P in keyof T]: Sent<T[P]> }
    : T;

/** Whether a value need not be sent: it is not a struct, or one of which nothing has to be given. */
type MayBeAbsent<T> = T extends readonly unknown[]
  ? true
  : T extends object
    ? Partial<T> extends T
      ? true
      : false
    : true;
type Absent<T, K> = {
  [P in keyof T]: P extends K ? (false extends MayBeAbsent<Sent<T[P]>> ? never : P) : never;
}[keyof T];
type SentStruct<T, K> = {
  [P in keyof T as P extends typeof sentForm | Absent<T, K> ? never : P]: Sent<T[P]>;
} & { [P in keyof T as P extends Absent<T, K> ? P : never]?: Sent<T[P]> };
