import { addErrors, childPath, type FieldError, fieldError, isFull, printed } from '../../meta/field-error.js';
import type { ZodLike } from './def.js';

/** Returns the validation errors that zod reports for a value. */
export type ZodProblems = (value: unknown) => readonly FieldError[] | Promise<readonly FieldError[]>;

/** The members of zod's `safeParse` result that this server reads. */
interface Parsed {
  readonly success: boolean;
  readonly error?: { readonly issues: readonly Issue[] };
}
interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The issues of each option of a union. */
  readonly errors?: readonly (readonly Issue[])[];
  /** The issues of a record's key. */
  readonly issues?: readonly Issue[];
}
interface Parser {
  safeParse(value: unknown): Parsed;
  safeParseAsync(value: unknown): Promise<Parsed>;
}

/**
 * Returns a function that lets zod validate a value. The parsed value is discarded. If zod throws for a value, the value is parsed
 * again asynchronously. If that succeeds, the schema has asynchronous refinements, so all later values are parsed asynchronously at once.
 * @throws TypeError for a schema that cannot check values itself.
 */
export function zodProblems(zod: ZodLike): ZodProblems {
  const parser = zod as ZodLike & Partial<Parser>;
  if (typeof parser.safeParse !== 'function' || typeof parser.safeParseAsync !== 'function')
    throw new TypeError('the schema has refinements, but no safeParse() that checks them');
  // The condition has checked both members, so the cast is safe.
  const { safeParse, safeParseAsync } = parser as Parser;
  let waits = false;
  const later = async (value: unknown) => {
    const parsed = await safeParseAsync.call(zod, value);
    waits = true;
    return problemsIn(parsed, value);
  };
  return (value) => {
    if (waits) return later(value);
    try {
      return problemsIn(safeParse.call(zod, value), value);
    } catch {
      // zod throws for asynchronous refinements. If the error has another cause, the asynchronous parse throws it again.
      return later(value);
    }
  };
}

function problemsIn({ success, error }: Parsed, value: unknown): readonly FieldError[] {
  if (success) return [];
  const errors: FieldError[] = [];
  for (const issue of error?.issues ?? []) {
    addErrors(errors, errorsOfIssue(issue, value, ''));
    if (isFull(errors)) break;
  }
  return errors;
}

/** Converts an issue of zod to field errors. @param path the path to which the issue's own path is relative */
function errorsOfIssue(issue: Issue, parent: unknown, path: string): readonly FieldError[] {
  let value = parent;
  let full = path;
  for (const step of issue.path) {
    value = memberOf(value, step);
    full = typeof step === 'number' ? `${full}[${step}]` : childPath(full, String(step));
  }
  const nearest = nearestOption(issue.errors ?? []);
  if (nearest) return nearest.flatMap((inner) => errorsOfIssue(inner, value, full));
  const why = [issue.message, ...reasonsOf(issue)].join(': ');
  if (value === undefined && issue.code === 'invalid_type') return [fieldError.required(full, why)];
  return [fieldError.invalid(full, printableValue(value), why)];
}

/**
 * Returns the issues of the union option with the fewest issues, and among ties the one whose issues are deepest. Options that fail at the
 * root do not count. Returns undefined when all options fail at the root.
 */
function nearestOption(options: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depth = (issues: readonly Issue[]) => Math.min(...issues.map(({ path }) => path.length));
  const fitting = options.filter((issues) => issues.length > 0 && depth(issues) > 0);
  return fitting.sort((a, b) => a.length - b.length || depth(b) - depth(a))[0];
}

function reasonsOf({ errors = [], issues = [] }: Issue): string[] {
  const reasons = [...errors.flatMap((option) => option.slice(0, 1)), ...issues].map(({ message }) => message);
  return reasons.length === 0 ? [] : [[...new Set(reasons)].join('; or ')];
}

function memberOf(value: unknown, name: PropertyKey): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<PropertyKey, unknown>>)[name]
    : undefined;
}

/** Returns a value as messages print it: lists and objects by their type only. */
function printableValue(value: unknown): unknown {
  if (Array.isArray(value)) return printed('"array"');
  return typeof value === 'object' && value !== null ? printed('"object"') : value;
}
