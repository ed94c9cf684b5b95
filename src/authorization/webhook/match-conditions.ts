import type { JsonObject } from '../../json/value.js';
import { aggregateErrors } from '../../meta/aggregate-error.js';
import type { Dialect } from '../../meta/dialect.js';

/** Whether a webhook is to be asked: yes; no; or that could not be found out. */
export type Matched = { readonly matched: boolean } | { readonly error: Error };

/** An expression over `request`, the spec of a SubjectAccessReview v1 (spec 12.12). @throws Error where it cannot be evaluated */
export type MatchCondition = (request: JsonObject) => boolean;

/** Compiles match conditions. @throws CompilationFailed with the reference's text */
export type CompileCondition = (source: string) => MatchCondition;

const TEXTS = ['user', 'uid'];
const RESOURCE = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'];
const PATH = ['path', 'verb'];

/** Loads the engine, which is large, and makes the environment. */
export async function loadMatchConditions(dialect: Dialect): Promise<CompileCondition> {
  const cel = await import('../../cel/index.js');
  const { ListView, listOf, MapView, mapOf, ObjectView, objectType, STRING } = cel;
  type Field = NonNullable<ReturnType<Parameters<typeof objectType>[1]['get']>>;

  const fieldsOf = (fields: ReadonlyMap<string, Field>) => ({
    get: (name: string) => fields.get(name),
    names: () => fields.keys(),
  });
  const textFields = (names: readonly string[]) =>
    names.map((name): [string, Field] => [name, { type: STRING, property: name, plain: 'string' }]);
  const texts = (member: unknown) => new ListView(member as readonly string[]);
  const part = (name: string, names: readonly string[]): Field => {
    const type = objectType(`kubernetes.${name}`, fieldsOf(new Map(textFields(names))));
    return {
      type,
      property: '',
      adapt: (member) => (member === undefined ? undefined : new ObjectView(member as JsonObject, type)),
    };
  };
  const request = objectType(
    'kubernetes.SubjectAccessReviewSpec',
    fieldsOf(
      new Map<string, Field>([
        ['resourceAttributes', { ...part('ResourceAttributes', RESOURCE), property: 'resourceAttributes' }],
        ['nonResourceAttributes', { ...part('NonResourceAttributes', PATH), property: 'nonResourceAttributes' }],
        ...textFields(TEXTS),
        ['groups', { type: listOf(STRING), property: 'groups', adapt: texts }],
        [
          'extra',
          {
            type: mapOf(STRING, listOf(STRING)),
            property: 'extra',
            adapt: (member) => new MapView(member as JsonObject, texts),
          },
        ],
      ]),
    ),
  );
  const environment = cel.createEnvironment({
    libraries: cel.kubernetesLibraries(31),
    homogeneousLiterals: true,
    costs: cel.costsOf(dialect),
    variables: [{ name: 'request', type: request }],
  });

  return (source) => {
    const { program, type } = cel.compileTyped(environment, source);
    if (type.kind !== 'bool') throw new cel.CompilationFailed(`must evaluate to bool but got ${cel.formatType(type)}`);
    return (spec) => {
      const failed = (why: string) => new Error(`expression '${source}' resulted in error: ${why}`);
      try {
        const { outcome } = program.evaluate(
          { request: () => new ObjectView(spec, request) },
          undefined,
          cel.CALL_LIMIT,
        );
        if (outcome instanceof cel.EvaluationError) throw failed(outcome.message);
        return outcome === true;
      } catch (error) {
        throw error instanceof cel.BudgetExceeded ? failed(error.message) : error;
      }
    };
  };
}

/** All conditions: one that is false decides, whatever others came to (spec 12.12). */
export function matchAll(conditions: readonly MatchCondition[], request: JsonObject): Matched {
  const errors: Error[] = [];
  for (const condition of conditions) {
    try {
      if (!condition(request)) return { matched: false };
    } catch (error) {
      errors.push(new Error(`cel evaluation error: ${error instanceof Error ? error.message : String(error)}`));
    }
  }
  const error = aggregateErrors(errors);
  return error ? { error } : { matched: true };
}
