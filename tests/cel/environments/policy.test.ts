import { type CompiledPolicy, compilePolicy, type PolicyExpressions } from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';
import { type Json, table } from './admission-data.js';

const request = { operation: 'CREATE', name: 'web', namespace: 'default' };
const judge = (policy: PolicyExpressions, object: unknown = {}, limits = {}) =>
  compilePolicy(policy).evaluate({ object, request }, limits);

/* Upstream's tests pass results to the validator. Here, expressions with these results replace them. */
interface Evaluation {
  readonly EvalResult?: Json;
  readonly Error?: Json;
  readonly ExpressionAccessor?: Json;
}
interface Row {
  readonly name: string;
  readonly evaluations?: readonly Evaluation[];
  readonly messageEvaluations?: readonly Evaluation[];
  readonly auditEvaluations?: readonly Evaluation[];
  readonly policyDecision?: readonly Json[];
  readonly auditAnnotations?: readonly Json[];
  readonly failPolicy?: 'Fail' | 'Ignore';
  readonly matcher?: { readonly matches: boolean };
}
const LITERALS: Readonly<Record<string, string>> = {
  'celtypes.True': 'true',
  'celtypes.False': 'false',
  'celtypes.NullValue': 'null',
};
function source({ EvalResult, Error: error }: Evaluation): string | undefined {
  if (error !== undefined) return '1 / 0 == 1';
  if (EvalResult === undefined) return undefined;
  return LITERALS[String(EvalResult['$sel'])] ?? JSON.stringify((EvalResult['args'] as unknown[] | undefined)?.[0]);
}
/** Rows with errors of results that expressions cannot have here. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'test filter error': 'an error of the evaluator itself',
  'test filter error multiple evaluations': 'an error of the evaluator itself',
  'messageExpression out of budget after successful eval of expression': 'the budget has a test of its own below',
  'match error => presumed match': 'an error of the matcher itself: the next table',
};
const all = table<Row>('validator:TestValidate.cases');
const rows = all.filter(({ name }) => LEFT_OUT[name] === undefined);

describe.skipIf(rows.length === 0)(`decisions as in upstream: ${rows.length} of ${all.length} policies`, () => {
  it.each(rows.map((row) => [row.name, row] as const))('%s', (_name, row) => {
    const found = judge({
      ...(row.failPolicy === undefined ? {} : { failurePolicy: row.failPolicy }),
      ...(row.matcher === undefined
        ? {}
        : { matchConditions: [{ name: 'm', expression: String(row.matcher.matches) }] }),
      validations: (row.evaluations ?? []).map((evaluation, i) => {
        const { Message, Reason } = (evaluation.ExpressionAccessor ?? {}) as Readonly<Record<string, string>>;
        const message = row.messageEvaluations?.[i] && source(row.messageEvaluations[i]);
        return {
          expression: source(evaluation) ?? 'true',
          ...(Message === undefined ? {} : { message: Message }),
          ...(Reason === undefined ? {} : { reason: Reason }),
          ...(message === undefined ? {} : { messageExpression: message }),
        };
      }),
      auditAnnotations: (row.auditEvaluations ?? []).map((evaluation, i) => ({
        key: `key-${i}`,
        valueExpression: source(evaluation) ?? 'null',
      })),
    });
    const decisions = (row.policyDecision ?? []).map((decision) => ({
      action: decision['Action'],
      ...(decision['Reason'] === undefined ? {} : { reason: decision['Reason'] }),
      ...(decision['Message'] === undefined || /this\.expression/.test(String(decision['Message']))
        ? {}
        : { message: decision['Message'] }),
    }));
    expect(found.decisions).toMatchObject(decisions);
    const annotations = (row.auditAnnotations ?? []).map(({ Action, Value }) => ({
      action: Action,
      ...(Value === undefined ? {} : { value: Value }),
    }));
    expect(found.auditAnnotations).toMatchObject(annotations);
  });
});

interface MatchRow {
  readonly name: string;
  readonly evaluations: readonly Evaluation[];
  readonly shouldMatch: boolean;
  readonly returnedName?: string;
  readonly failPolicy?: 'Fail' | 'Ignore';
  readonly throwError?: boolean;
  readonly expectError?: string;
}
const matched = table<MatchRow>('matcher:TestMatch.cases').filter(({ throwError }) => throwError !== true);
describe.skipIf(matched.length === 0)(`match conditions as in upstream: ${matched.length} lists`, () => {
  it.each(matched.map((row) => [row.name, row] as const))('%s', (_name, row) => {
    const { decisions } = judge({
      ...(row.failPolicy === undefined ? {} : { failurePolicy: row.failPolicy }),
      matchConditions: row.evaluations.map((evaluation, i) => ({
        name: String(evaluation.ExpressionAccessor?.['Name'] ?? `m${i}`),
        expression: source(evaluation) ?? 'true',
      })),
      validations: [{ expression: 'false', message: 'asked' }],
    });
    if (row.expectError !== undefined) expect(decisions).toMatchObject([{ action: 'deny', evaluation: 'error' }]);
    else expect(decisions.map(({ message }) => message)).toEqual(row.shouldMatch ? ['asked'] : []);
  });
});

describe('policies', () => {
  const errorsOf = (policy: PolicyExpressions): CompiledPolicy['errors'] => compilePolicy(policy).errors;

  it('report where they do not compile', () => {
    const errors = errorsOf({
      variables: [{ name: 'v', expression: 'nothing' }],
      matchConditions: [{ name: 'm', expression: 'request.name' }],
      validations: [{ expression: 'object.a', messageExpression: '1' }],
      auditAnnotations: [{ key: 'k', valueExpression: '1' }],
    });
    expect(errors.map(({ path, message }) => [path.join('.'), message.split(':')[0]])).toEqual([
      ['variables.0.expression', 'compilation failed'],
      ['matchConditions.0.expression', 'must evaluate to bool'],
      ['validations.0.expression', 'must evaluate to bool'],
      ['validations.0.messageExpression', 'must evaluate to string'],
      ['auditAnnotations.0.valueExpression', 'must evaluate to one of [string null_type]'],
    ]);
  });

  it('share variables; message expressions cannot use the authorizer', () => {
    const policy: PolicyExpressions = {
      variables: [{ name: 'low', expression: 'object.replicas < 2' }],
      validations: [{ expression: '!variables.low', messageExpression: '"low is " + string(variables.low)' }],
    };
    expect(judge(policy, { replicas: 1 }).decisions).toMatchObject([{ action: 'deny', message: 'low is true' }]);
    const asks = 'authorizer.group("").resource("pods").check("get").allowed() ? "a" : "b"';
    expect(errorsOf({ validations: [{ expression: 'true', messageExpression: asks }] })).toMatchObject([
      { message: expect.stringContaining("undeclared reference to 'authorizer'") },
    ]);
  });

  it('stop when their cost budget is used up, which messages share', () => {
    const validations = [{ expression: 'object.a == 1', messageExpression: '"a" + "b" + string(object.a)' }];
    expect(judge({ validations }, { a: 2 }, { request: 3 }).decisions).toMatchObject(
      [{ evaluation: 'error', message: /^failed messageExpression: .*running out of cost budget/ }].map(
        ({ evaluation, message }) => ({ evaluation, message: expect.stringMatching(message) }),
      ),
    );
    expect(judge({ validations, failurePolicy: 'Ignore' }, { a: 2 }, { request: 2 }).decisions).toMatchObject([
      { action: 'admit', evaluation: 'error', message: expect.stringContaining('running out of cost budget') },
    ]);
  });

  it('trim messages and annotations as upstream does, which knows the next line and no byte order mark', () => {
    const { decisions, auditAnnotations } = judge({
      validations: [
        { expression: 'false', messageExpression: '"\u0085x\u0085"' },
        { expression: 'false', messageExpression: '"\ufeff"', message: 'unused' },
      ],
      auditAnnotations: [{ key: 'k', valueExpression: '"\u0085"' }],
    });
    expect(decisions.map(({ message }) => message)).toEqual(['x', '\ufeff']);
    expect(auditAnnotations).toMatchObject([{ action: 'exclude' }]);
  });

  it('find no conversion of a time of the namespace, which is declared as a time but is a string', () => {
    const namespaceObject = { metadata: { name: 'n', creationTimestamp: '2024-01-01T00:00:00Z' } };
    const messageOf = (expression: string) =>
      compilePolicy({ validations: [{ expression }] }).evaluate({ object: {}, request, namespaceObject }).decisions[0]
        ?.message;
    const created = 'namespaceObject.metadata.creationTimestamp';
    expect(messageOf(`string(${created}) != ""`)).toMatch(/resulted in error: no such overload: string\(string\)$/);
    expect(messageOf(`timestamp(${created}) > timestamp("2023-01-01T00:00:00Z")`)).toMatch(/timestamp\(string\)$/);
    expect(messageOf(`timestamp(dyn(${created})) > timestamp("2023-01-01T00:00:00Z")`)).toBe('');
    expect(messageOf(`string(timestamp(dyn(${created}))) != ""`)).toBe('');
  });
});
