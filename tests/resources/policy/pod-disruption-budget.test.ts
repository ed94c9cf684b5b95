import { expect, it } from 'vitest';
import { podDisruptionBudget } from '../../../src/exports/kinds.js';
import { created, createErrors, readBody, row, updateErrors } from '../steps.js';

const metadata = { name: 'a', namespace: 'default' };
const budget = (spec: object) => ({ metadata, spec });
const OLD_LABEL = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

it('has either minAvailable or maxUnavailable', async () => {
  expect(await createErrors(podDisruptionBudget, budget({}))).toEqual([]);
  expect(await createErrors(podDisruptionBudget, budget({ minAvailable: '30%' }))).toEqual([]);
  expect(await createErrors(podDisruptionBudget, budget({ minAvailable: 1, maxUnavailable: '101%' }))).toEqual([
    expect.stringMatching(/^spec: Invalid value: policy\..*: minAvailable and maxUnavailable cannot be both set$/),
    'spec.maxUnavailable: Invalid value: intstr.IntOrString{Type:1, IntVal:0, StrVal:"101%"}: must not be greater than 100%',
  ]);
  expect(await createErrors(podDisruptionBudget, budget({ unhealthyPodEvictionPolicy: 'Never' }))).toEqual([
    'spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"',
  ]);
});

it('has an empty status at first, and prints the allowed disruptions', () => {
  const made = created(podDisruptionBudget, { ...budget({ maxUnavailable: 0 }), status: { disruptionsAllowed: 9 } });
  expect(made.status).toEqual({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 });
  expect(row(podDisruptionBudget, made, 0).slice(0, 4)).toEqual(['a', 'N/A', '0', 0]);
});

it('keeps the label of the older version only if the selector has nothing else', () => {
  const old = { key: OLD_LABEL, operator: 'Exists' };
  const expressions = (matchExpressions: object[], more: object = {}) =>
    readBody(podDisruptionBudget, budget({ selector: { matchExpressions, ...more } })).spec.selector;
  expect(expressions([old])).toEqual({ matchExpressions: [old] });
  expect(expressions([{ ...old, operator: 'DoesNotExist' }])?.matchExpressions).toHaveLength(1);
  expect(expressions([old, { key: 'a', operator: 'Exists' }])).toEqual({
    matchExpressions: [{ key: 'a', operator: 'Exists' }],
  });
  expect(expressions([old], { matchLabels: { a: 'b' } })).toEqual({ matchLabels: { a: 'b' } });
});

it('accepts an invalid selector that is unchanged', async () => {
  const selector = { matchExpressions: [{ key: 'a', operator: 'In', values: ['not good!'] }] };
  const why = [expect.stringContaining('spec.selector.matchExpressions[0].values[0]: Invalid value: "not good!"')];
  const old = created(podDisruptionBudget, budget({ selector, minAvailable: 1 }));
  expect(await createErrors(podDisruptionBudget, budget({ selector }))).toEqual(why);
  expect(await updateErrors(podDisruptionBudget, budget({ selector, minAvailable: 2 }), old)).toEqual([]);
});
