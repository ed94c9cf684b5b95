import { checkPolicyTypes } from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';
import { DYN, schemaType } from '../../../src/cel/index.js';
import { openApiToSchema } from '../../../src/schema/openapi-to-schema.js';
import { fromGoSchema, type Go, isRecord } from '../../support/go-structs.js';
import { table } from './admission-data.js';

interface Assertion {
  readonly $call?: string;
  readonly $id?: string;
  readonly args?: readonly unknown[];
}
interface Row {
  readonly name: string;
  readonly policy: Go;
  readonly schemaToReturn?: Go | null;
  readonly assertions: readonly Assertion[];
}

const rows = table<Row>('typechecking:TestTypeCheck.range').filter(
  // The kinds of these rules are unknown, so a server does not check them.
  ({ schemaToReturn }) => isRecord(schemaToReturn) && 'SchemaProps' in schemaToReturn,
);

const SCALARS: Readonly<Record<string, object>> = {
  'spec.StringProperty': { type: 'string' },
  'spec.Int64Property': { type: 'integer', format: 'int64' },
};
/** Returns a schema of the table, whose properties are schemas or calls of helper functions. */
function schemaOf(go: Go): object {
  const { Type, Properties = {}, ...others } = go['SchemaProps'] as Go;
  const properties = Object.entries(Properties as Readonly<Record<string, Go>>).map(([name, each]) => [
    name,
    SCALARS[String(each['$call'])] ?? schemaOf(each),
  ]);
  return { ...fromGoSchema(others), type: (Type as string[])[0], properties: Object.fromEntries(properties) };
}

interface Spec {
  readonly Variables?: readonly { readonly Name: string; readonly Expression: string }[];
  readonly Validations?: readonly { readonly Expression: string; readonly MessageExpression?: string }[];
  readonly ParamKind?: object;
}
/** A row that copies the first policy, with the message that the test sets in code. */
const specOf = ({ Spec, $call }: Go): Spec =>
  $call === undefined
    ? ((Spec ?? {}) as Spec)
    : { Validations: [{ Expression: "object.foo == 'bar'", MessageExpression: 'object.foo + 114514' }] };

describe.skipIf(rows.length === 0)(`types of policies as in upstream: ${rows.length} policies`, () => {
  it.each(rows.map((row) => [row.name, row] as const))('%s', (_name, { policy, schemaToReturn, assertions }) => {
    const { Variables = [], Validations = [], ParamKind } = specOf(policy);
    const type = schemaType(openApiToSchema(schemaOf(schemaToReturn ?? {}) as never), { resource: true })?.type;
    if (!type) throw new Error('the schema says nothing');
    const problems = checkPolicyTypes(
      {
        variables: Variables.map(({ Name, Expression }) => ({ name: Name, expression: Expression })),
        validations: Validations.map(({ Expression: expression, MessageExpression: messageExpression = '' }) => ({
          expression,
          messageExpression,
        })),
      },
      { object: type, ...(ParamKind ? { params: type } : {}) },
    );
    for (const { $call, args = [] } of assertions) {
      if ($call === 'toHaveFieldRef') expect(problems.map(({ field }) => field)).toEqual(args);
      else if ($call === 'toContain') for (const { message } of problems) expect(message).toContain(args[0]);
      else expect(problems).toHaveLength($call === 'toHaveLengthOf' ? (args[0] as number) : 0);
    }
  });
});

it('expressions are not evaluated, so a conversion that always fails is no type error', () => {
  const variables = [{ name: 'n', expression: 'int("x")' }];
  const validations = [{ expression: 'int("x") == variables.n' }, { expression: 'variables.n == "1"' }];
  const problems = checkPolicyTypes({ variables, validations }, { object: DYN });
  expect(problems.map(({ field }) => field)).toEqual(['spec.validations[1].expression']);
});
