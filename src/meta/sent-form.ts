/** The key of a member that exists only for the compiler. The member describes how clients may send a value. */
declare const sentForm: unique symbol;

/** Marks the members of a struct that clients may leave out. The server fills them in, so every response contains them. */
export interface Filled<K extends PropertyKey> {
  readonly [sentForm]?: { readonly filled: K };
}

/** Marks a type whose values clients send as values of another type, the input type of its schema. */
export interface SentAs<Input> {
  readonly [sentForm]?: { readonly as: Input };
}

type Mark<T> = typeof sentForm extends keyof T ? NonNullable<T[typeof sentForm]> : undefined;

/** The type of a value as clients may send it: at every depth, members that the server fills are optional. */
export type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? Mark<T> extends { readonly as: infer Input }
      ? Input
      : Mark<T> extends { readonly filled: infer K }
        ? SentStruct<T, K>
        : { [P in keyof T]: Sent<T[P]> }
    : T;

/** Whether a member of this type may be left out: the type is not a struct, or a struct without required members. */
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
