/** Any zod schema, of any copy or flavor of the package. */
export interface ZodLike<Output = unknown> {
  readonly _zod: { readonly output: Output };
}

/** The members of zod's own definition that this server reads. Each zod type has only some of them. */
export interface ZodDef {
  readonly type: string;
  readonly check?: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly checks?: readonly { readonly _zod: { readonly def: ZodCheckDef } }[];
  readonly shape?: Readonly<Record<string, ZodLike>>;
  readonly catchall?: ZodLike;
  readonly innerType?: ZodLike;
  readonly defaultValue?: unknown;
  readonly element?: ZodLike;
  readonly valueType?: ZodLike;
  readonly options?: readonly ZodLike[];
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly values?: readonly unknown[];
  readonly getter?: () => ZodLike;
  readonly in?: ZodLike;
  readonly out?: ZodLike;
  readonly keyType?: ZodLike;
  readonly items?: readonly ZodLike[];
  readonly rest?: ZodLike | null;
  readonly left?: ZodLike;
  readonly right?: ZodLike;
  readonly coerce?: boolean;
  readonly transform?: unknown;
}
export interface ZodCheckDef {
  readonly check: string;
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly length?: number;
  readonly value?: unknown;
  readonly inclusive?: boolean;
}

/** Returns the definition of a zod schema. @throws TypeError for something that is not a zod 4 schema */
export function defOf(zod: ZodLike): ZodDef {
  const { _zod: inner, _def: older } = Object(zod) as {
    readonly _zod?: { readonly def?: unknown };
    readonly _def?: unknown;
  };
  if (inner === undefined && older !== undefined)
    throw new TypeError("not a zod 4 schema but one of zod 3: install zod 4, or import from 'zod/v4'");
  const def = inner?.def;
  if (typeof def !== 'object' || def === null || !('type' in def)) throw new TypeError('not a zod 4 schema');
  // Every zod 4 schema has a definition with a type. Other members are checked where they are read.
  return def as ZodDef;
}
