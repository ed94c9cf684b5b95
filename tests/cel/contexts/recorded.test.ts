import { checkRule, excess, languageOf, schemaRules } from 'orch-apiserver/cel/rules';
import { describe, expect, it } from 'vitest';
import { dialectOf } from '../../../src/meta/dialect.js';
import { openApiToSchema } from '../../../src/schema/openapi-to-schema.js';
import { type GoldenStep, goldenSteps, type RecordedStatus } from '../../support/shared-data.js';

/* The responses of a server of release 1.31 to definitions with these rules. */

const causesOf = (steps: readonly GoldenStep<RecordedStatus>[], name: string) =>
  steps.find(({ step }) => step === name)?.body.details?.causes ?? [];

const text = { type: 'string' };
const V = 'x-kubernetes-validations';

const errors = goldenSteps<RecordedStatus>('expressions/compile-errors');
describe.skipIf(errors.length === 0)('errors of compilation as recorded', () => {
  const schema = {
    type: 'object',
    properties: {
      n: { type: 'integer' },
      s: { type: 'string', maxLength: 10 },
      l: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 5 } },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      '9x': text,
    },
  };
  it.each<[string, object]>([
    ['syntax', { rule: 'self.n >' }],
    ['unknown field', { rule: 'self.zz > 1' }],
    ['unknown name', { rule: 'that.n > 1' }],
    ['not a boolean', { rule: 'self.n' }],
    ['types do not fit', { rule: 'self.n > "1"' }],
    ['unknown function', { rule: 'self.s.shout() == "X"' }],
    ['mixed literal', { rule: '[1, "a"].size() == 2' }],
    ['bad pattern literal', { rule: 'self.s.matches("[a")' }],
    ['bad duration literal', { rule: 'duration("x") < duration("1h")' }],
    ['field of a free object', { rule: 'self.free.x == 1' }],
    ['unreachable name', { rule: 'self.9x == "a"' }],
    ['no rule', { rule: '' }],
    ['blank rule', { rule: '  ' }],
    ['messageExpression does not compile', { rule: 'self.n > 1', messageExpression: 'self.zz' }],
    ['messageExpression no text', { rule: 'self.n > 1', messageExpression: 'self.n' }],
    ['authorizer is not at hand', { rule: 'authorizer.path("/x").check("get").allowed()' }],
    ['library newer than the release before', { rule: '!format.dns1123Label().validate(self.s).hasValue()' }],
    ['sign of a quantity', { rule: 'quantity(self.s).sign() == 1' }],
  ])('%s', (name, rule) => {
    const [cause] = causesOf(errors, name);
    const recorded = cause?.message.replace(/^(Invalid value: apiextensions.ValidationRule\{\}|Required value): /, '');
    const { errors: found } = checkRule(schema, rule as { rule: string }, { dialect: 'k8s' });
    expect(found).toEqual(recorded === undefined ? [] : [recorded]);
  });
});

const costs = goldenSteps<RecordedStatus>('expressions/cost');
const list = (items: object, rule: string, more: object = {}) => ({ type: 'array', items, ...more, [V]: [{ rule }] });
const small = { type: 'string', maxLength: 10 };
const withText = (more: object) => ({ type: 'object', properties: { s: { ...text, ...more } } });
const each = (rule: string) => ({ ...withText({ maxLength: 20 }), [V]: [{ rule }] });

describe.skipIf(costs.length === 0)('limits of estimates as recorded', () => {
  it.each<[string, object]>([
    ['all over an unbounded list', list(text, 'self.all(x, x == "a")')],
    ['all over a bounded list of unbounded texts', list(text, 'self.all(x, x.contains("a"))', { maxItems: 100 })],
    [
      'all over a bounded list of bounded texts',
      list({ type: 'string', maxLength: 50 }, 'self.all(x, x.contains("a"))', { maxItems: 100 }),
    ],
    ['nested loops', list(text, 'self.all(x, self.exists(y, x == y))')],
    ['nested loops, 10', list(text, 'self.all(x, self.exists(y, x == y))', { maxItems: 10 })],
    ['nested loops, 1000 of 10', list(small, 'self.all(x, self.exists(y, x == y))', { maxItems: 1000 })],
    ['nested loops, 2000 of 10', list(small, 'self.all(x, self.exists(y, x == y))', { maxItems: 2000 })],
    [
      'three loops, 100',
      list({ type: 'integer' }, 'self.all(x, self.all(y, self.all(z, x + y != z)))', { maxItems: 100 }),
    ],
    [
      'a rule per item of an unbounded list',
      { type: 'array', items: { ...text, [V]: [{ rule: 'self.contains("x")' }] } },
    ],
    [
      'a rule per item, bounded',
      { type: 'array', maxItems: 20, items: { ...text, maxLength: 20, [V]: [{ rule: 'self.contains("x")' }] } },
    ],
    ['a pattern on an unbounded text', withText({ [V]: [{ rule: 'self.matches("^[a-z]+$")' }] })],
    ['a long pattern', withText({ [V]: [{ rule: `self.matches("^${'(abc|def)'.repeat(20)}$")` }] })],
    [
      'a pattern from the object',
      { type: 'object', properties: { s: text, p: text }, [V]: [{ rule: 'self.s.matches(self.p)' }] },
    ],
    [
      'a map of maps',
      {
        type: 'object',
        additionalProperties: {
          type: 'object',
          additionalProperties: { ...text, [V]: [{ rule: 'self.size() > 1' }] },
        },
      },
    ],
    ['url(self.s) == url("https://a.b")', each('url(self.s) == url("https://a.b")')],
    ['quantity(self.s) == quantity("1")', each('quantity(self.s) == quantity("1")')],
    ['cidr(self.s).containsIP("10.0.0.1")', each('cidr(self.s).containsIP("10.0.0.1")')],
    ['[self.s, "b"].join("-") == ""', each('[self.s, "b"].join("-") == ""')],
    ['self.s.replace("a", "b").size() > 1', each('self.s.replace("a", "b").size() > 1')],
  ])('%s', (name, spec) => {
    const recorded = causesOf(costs, name)
      .map(
        ({ message }) => /estimated rule cost exceeds budget by factor of (more than 100x|[\d.]+x)/.exec(message)?.[1],
      )
      .find((factor) => factor !== undefined);
    const schema = openApiToSchema({ type: 'object', properties: { spec } });
    const [rule] = schemaRules(schema, languageOf(dialectOf('k8s')));
    expect(rule?.error).toBeUndefined();
    expect(excess(rule?.cost ?? 0)).toBe(recorded);
  });
});
