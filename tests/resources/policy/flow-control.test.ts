import { describe, expect, it } from 'vitest';
import { flowSchema, priorityLevelConfiguration } from '../../../src/exports/kinds.js';
import { createErrors, readBody, row } from '../steps.js';

const metadata = { name: 'a' };

describe('FlowSchema', () => {
  const level = { name: 'exempt' };
  const errors = (spec: object, name = 'a') =>
    createErrors(flowSchema, { metadata: { name }, spec: { priorityLevelConfiguration: level, ...spec } });
  const subject = { kind: 'User', user: { name: 'u' } };
  const resourceRule = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] };

  it('has a default precedence', async () => {
    expect(readBody(flowSchema, { metadata }).spec.matchingPrecedence).toBe(1000);
    const path = 'spec.matchingPrecedence: Invalid value:';
    expect(await errors({ matchingPrecedence: 10_001 })).toEqual([`${path} 10001: must not be greater than 10000`]);
    expect(await errors({ matchingPrecedence: 1 })).toEqual([
      `${path} 1: only the schema named 'exempt' may have matchingPrecedence 1`,
    ]);
  });

  it('has rules for subjects and requests', async () => {
    expect(await errors({ rules: [{ subjects: [subject], resourceRules: [resourceRule] }] })).toEqual([]);
    expect(await errors({ rules: [{ subjects: [{ kind: 'Group', user: { name: 'u' } }] }] })).toEqual([
      "spec.rules[0].subjects[0].group: Required value: group is required when subject kind is 'Group'",
      "spec.rules[0].subjects[0].user: Forbidden: user is forbidden when subject kind is not 'User'",
      'spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
    ]);
    const none = { ...resourceRule, namespaces: [] };
    expect(await errors({ rules: [{ subjects: [subject], resourceRules: [none] }] })).toEqual([
      'spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
    ]);
    const paths = (...nonResourceURLs: string[]) =>
      errors({ rules: [{ subjects: [subject], nonResourceRules: [{ verbs: ['*'], nonResourceURLs }] }] });
    expect(await paths('/', '/a', '/a/*')).toEqual([]);
    expect(await paths('/a*')).toEqual([expect.stringContaining('wildcard can only do suffix matching')]);
    expect(await paths('*', '/a')).toEqual([expect.stringContaining("if '*' is present, must not specify other")]);
  });

  it('cannot be changed if it is mandatory', async () => {
    expect(await errors({ matchingPrecedence: 1 }, 'exempt')).toEqual([
      expect.stringMatching(/^spec: Invalid value: flowcontrol\.FlowSchemaSpec\{.*\}: spec of 'exempt' must equal/),
    ]);
  });
});

describe('PriorityLevelConfiguration', () => {
  const errors = (spec: object, name = 'a') => createErrors(priorityLevelConfiguration, { metadata: { name }, spec });
  const limited = (queuing: object) => ({ type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing } } });

  it('has defaults', () => {
    const { spec } = readBody(priorityLevelConfiguration, { metadata, spec: limited({ queues: 9 }) });
    expect(spec.limited).toMatchObject({ nominalConcurrencyShares: 30, lendablePercent: 0 });
    expect(spec.limited?.limitResponse.queuing).toEqual({ queues: 9, handSize: 8, queueLengthLimit: 50 });
    expect(row(priorityLevelConfiguration, { metadata, spec } as never, 0).slice(0, 6)).toEqual([
      'a',
      'Limited',
      30,
      9,
      8,
      50,
    ]);
  });

  it('has hands that one hash can deal', async () => {
    expect(await errors(limited({ queues: 128, handSize: 8 }))).toEqual([]);
    expect(await errors(limited({ queues: 1024, handSize: 7 }))).toEqual([
      'spec.limited.limitResponse.queuing.handSize: Invalid value: 7: required entropy bits of deckSize 1024 and handSize 7 should not be greater than 60',
    ]);
  });

  it('is limited, except for the exempt one', async () => {
    expect(await errors({ type: 'Exempt' })).toEqual([
      "spec.type: Invalid value: \"Exempt\": type must be 'Exempt' if and only if name is 'exempt'",
    ]);
    expect(await errors({ type: 'Exempt', exempt: { lendablePercent: 50 } }, 'exempt')).toEqual([]);
    expect(await errors({ type: 'Exempt' }, 'exempt')).toEqual([]);
    expect(await errors({ type: 'Limited', limited: { limitResponse: { type: 'Reject' } } }, 'catch-all')).toEqual([
      expect.stringContaining("spec of 'catch-all' must equal the fixed value"),
    ]);
  });
});
