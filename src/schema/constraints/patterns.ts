import { compileGoPattern } from '../../values/go-pattern.js';
import { messageOf } from '../../values/message-of.js';
import type { Constraint, Property, Schema } from '../schema.js';
import { spendChecks } from './budget.js';

type Matcher = (text: string) => boolean;
type Patterned = object & { readonly pattern?: string };

const matchers = new WeakMap<object, Matcher>();

/**
 * Registers a pattern from the embedder's own code. JavaScript's own RegExp matches it, because the pattern is trusted not to take
 * exponential time.
 */
export function trustPattern(schema: Patterned, expression: RegExp): void {
  // A global or sticky expression would begin its search at the end of the last match, so these flags are removed.
  const plain = new RegExp(expression.source, expression.flags.replace(/[gy]/g, ''));
  matchers.set(schema, (text) => plain.test(text));
}

/** Lets a copy of a schema use the same compiled pattern as the schema. */
export function copyPattern(from: Patterned, to: Patterned): void {
  const matcher = matchers.get(from);
  if (matcher !== undefined) matchers.set(to, matcher);
}

/**
 * Returns whether the schema's pattern matches anywhere in a string.
 * @throws TypeError if the pattern came from an API object and was not prepared, because JavaScript's own RegExp must never match such a
 * pattern.
 */
export function matchesPattern(schema: Patterned, text: string): boolean {
  if (schema.pattern === undefined) return true;
  const matcher = matchers.get(schema);
  if (matcher === undefined) throw new TypeError('the schema was not prepared: await prepareSchema first');
  return matcher(text);
}

/**
 * Maximum number of instructions in the compiled RE2 programs of one definition's patterns together. For example, `(a|b){500}` has about
 * 2,000. The error message calls them steps.
 */
const MOST_STEPS = 100_000;
/** The number of RE2 instructions for which matching one character of a string costs as much as one constraint check. */
const STEPS_OF_CHECK = 16;

/**
 * Loads the RE2 engine. The returned function takes the patterns of one definition one by one. It returns an error message if the pattern
 * does not compile, or if the patterns together exceed {@link MOST_STEPS}; otherwise undefined.
 */
export async function loadPatternProblems(): Promise<(pattern: string) => string | undefined> {
  const { RE2JS } = await import('re2js');
  const good = new Set<string>();
  let steps = 0;
  return (pattern) => {
    if (good.has(pattern)) return undefined;
    const tooLarge = `the patterns of a definition must not have more than ${MOST_STEPS} steps together`;
    if (steps > MOST_STEPS) return tooLarge;
    try {
      steps += compileGoPattern(RE2JS, pattern).programSize();
      if (steps > MOST_STEPS) return tooLarge;
      good.add(pattern);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  };
}

/** The members through which a schema or constraint of any type has a pattern and inner schemas. */
interface Parts extends Patterned {
  readonly properties?: ReadonlyMap<string, Property | Constraint>;
  readonly items?: Schema | Constraint;
  readonly values?: Schema | Constraint;
}

/**
 * Compiles the patterns of a schema that comes from an API object, for linear-time matching. The engine is loaded only if there are
 * patterns.
 * @throws SyntaxError when a pattern does not compile.
 */
export async function prepareSchema(schema: Schema): Promise<void> {
  if (prepared.has(schema)) return;
  const waiting: Patterned[] = [];
  // A shared schema with children is visited only once. Leaves are not remembered, because visiting a leaf again is cheap.
  const seen = new Set<object>();
  const visit = (node: (Schema | Constraint) & Parts): void => {
    const { properties, items, values } = node;
    if (properties !== undefined || items !== undefined || values !== undefined) {
      if (seen.has(node)) return;
      seen.add(node);
    }
    if (node.pattern !== undefined && !matchers.has(node)) waiting.push(node);
    if (properties !== undefined)
      for (const property of properties.values()) visit('schema' in property ? property.schema : property);
    if (items !== undefined) visit(items);
    if (values !== undefined) visit(values);
    for (const list of [node.allOf, node.anyOf, node.oneOf]) list?.forEach(visit);
    if (node.not !== undefined) visit(node.not);
  };
  visit(schema);
  if (waiting.length > 0) await compilePatterns(waiting);
  if (Object.isFrozen(schema)) prepared.add(schema);
}

/**
 * Frozen schemas whose patterns are already compiled. {@link prepareSchema} is called twice for the schemas of a CustomResourceDefinition:
 * when the definition is validated, and before its kinds are served. The second call returns at once.
 */
const prepared = new WeakSet<object>();

async function compilePatterns(schemas: readonly Patterned[]): Promise<void> {
  const { RE2JS } = await import('re2js');
  // The same pattern often occurs at many places of a schema, so each pattern is compiled once.
  const matcherByPattern = new Map<string, Matcher>();
  for (const node of schemas) {
    const { pattern = '' } = node;
    try {
      let matcher = matcherByPattern.get(pattern);
      if (!matcher) {
        const compiled = compileGoPattern(RE2JS, pattern);
        const steps = compiled.programSize();
        matcher = (text) => {
          spendChecks(Math.ceil(((text.length + 1) * steps) / STEPS_OF_CHECK));
          return compiled.matcher(text).find();
        };
        matcherByPattern.set(pattern, matcher);
      }
      matchers.set(node, matcher);
    } catch (error) {
      throw new SyntaxError(`pattern ${node.pattern}: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
}
