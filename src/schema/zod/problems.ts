import { addErrors, childPath, type FieldError, fieldError, isFull, printed } from '../../meta/field-error.js';
import type { ZodLike } from './def.js';

/** What is wrong with a value, by zod's word. */
export type ZodProblems = (value: unknown) => readonly FieldError[] | Promise<readonly FieldError[]>;

/** zod's word on a value; other members are not read. */
interface Parsed {
  readonly success: boolean;
  readonly error?: { readonly issues: readonly Issue[] };
}
interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Of a union: what is wrong by each option. */
  readonly errors?: readonly (readonly Issue[])[];
  /** Of a key: what is wrong with it. */
  readonly issues?: readonly Issue[];
}
interface Parser {
  safeParse(value: unknown): Parsed;
  safeParseAsync(value: unknown): Promise<Parsed>;
}

/**
 * A check by zod itself; what it makes of the value is thrown away. A schema with a refinement that waits is run so from the
 * second object on.
 * @throws TypeError for a schema that cannot check values itself.
 */
export function zodProblems(zod: ZodLike): ZodProblems {
  const parser = zod as ZodLike & Partial<Parser>;
  if (typeof parser.safeParse !== 'function' || typeof parser.safeParseAsync !== 'function')
    throw new TypeError('the schema says more than its fields, and cannot check it: it has no safeParse()');
  const { safeParse, safeParseAsync } = parser as Parser; // just checked
  const later = async (value: unknown) => problemsIn(await safeParseAsync.call(zod, value), value);
  let waits = false;
  return (value) => {
    if (waits) return later(value);
    try {
      return problemsIn(safeParse.call(zod, value), value);
    } catch {
      // Refinements that wait cannot be run at once; any other failure comes again.
      waits = true;
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

/** An issue as field errors. @param path that the issue's own path continues. */
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
  return [fieldError.invalid(full, shown(value), why)];
}

/** Of a union's options the one that fits to the greatest depth; undefined where none fits at all. */
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

/** Structures are named, not printed, as in other messages about them. */
function shown(value: unknown): unknown {
  if (Array.isArray(value)) return printed('"array"');
  return typeof value === 'object' && value !== null ? printed('"object"') : value;
}
