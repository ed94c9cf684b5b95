import { describe, expect, it } from 'vitest';
import { k8s } from '../../../src/meta/dialect.js';
import { featureGates } from '../../../src/meta/features/feature-gates.js';
import { job } from '../../../src/resources/batch/index.js';
import type { Job } from '../../../src/resources/batch/job.js';
import { context, created, createErrors, row, updated, updateErrors } from '../steps.js';

const uid = '6a01b2c3-0000-4000-8000-000000000001';
const metadata = { name: 'j', namespace: 'n', uid };
const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'example.com/i:1' }] } };
const body = (spec: object = {}, labels?: Readonly<Record<string, string>>) => ({
  metadata,
  spec: { template: { ...template, ...(labels ? { metadata: { labels } } : {}) }, ...spec },
});
/** Returns refusals without the examples at the end of some messages. */
const refusals = async (spec: object) =>
  (await createErrors(job, body(spec))).map((text) => text.replace(/ \(e\.g\..*/, ''));

describe('a Job', () => {
  it('runs one pod by default', () => {
    expect(created(job, body()).spec).toMatchObject({
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: 'TerminatingOrFailed',
    });
    expect(created(job, body({ parallelism: 3 })).spec).not.toHaveProperty('completions');
    const byIndex = { completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1 };
    expect(created(job, body(byIndex)).spec.backoffLimit).toBe(2_147_483_647);
  });

  it('labels and selects its pods by its uid', () => {
    const { spec, metadata: made } = created(job, body({}, { app: 'a' }));
    const generated = {
      'controller-uid': uid,
      'job-name': 'j',
      'batch.kubernetes.io/controller-uid': uid,
      'batch.kubernetes.io/job-name': 'j',
    };
    expect(spec.selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': uid } });
    expect(spec.template.metadata.labels).toEqual({ app: 'a', ...generated });
    // A job without labels has those of its pods.
    expect(made.labels).toEqual({ app: 'a', ...generated });
  });

  it('keeps a manual selector if manualSelector is set', () => {
    const own = { manualSelector: true, selector: { matchLabels: { app: 'a' } } };
    const { spec } = created(job, body(own, { app: 'a' }));
    expect(spec.selector).toEqual(own.selector);
    expect(spec.template.metadata.labels).toEqual({ app: 'a' });
  });

  it.each<[string, object, string[]]>([
    [
      'the restart policy Always',
      { template: { spec: { ...template.spec, restartPolicy: 'Always' } } },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      'a backoff limit per index without indexes',
      { backoffLimitPerIndex: 1 },
      ['spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode'],
    ],
    [
      'an empty rule of the failure policy',
      { podFailurePolicy: { rules: [{ action: 'Ignore' }] } },
      ['spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required'],
    ],
    [
      'unordered exit codes',
      { podFailurePolicy: { rules: [{ action: 'Count', onExitCodes: { operator: 'In', values: [3, 1] } }] } },
      ['spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: []int32{3, 1}: must be ordered'],
    ],
    [
      'a success policy that cannot be met',
      {
        completionMode: 'Indexed',
        completions: 4,
        successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 3 }, { succeededIndexes: '2,1' }] },
      },
      [
        'spec.successPolicy.rules[0].succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)',
        'spec.successPolicy.rules[1].succeededIndexes: Invalid value: "2,1": error parsing succeededIndexes: non-increasing order, previous: 2, current: 1',
      ],
    ],
  ])('is refused with %s', async (_, spec, wanted) => expect(await refusals(spec)).toEqual(wanted));

  it('cannot change its template', async () => {
    const old = created(job, body());
    const again = (spec: object) => ({ ...old, spec: { ...old.spec, ...spec } });
    expect(await updateErrors(job, again({ parallelism: 5, suspend: true }), old)).toEqual([]);
    expect(await updateErrors(job, again({ completions: 5 }), old)).toEqual([
      'spec.completions: Invalid value: 5: field is immutable',
    ]);
  });

  it('can change its scheduling while it is suspended and has never run', async () => {
    const moved = { spec: { ...template.spec, nodeSelector: { disk: 'ssd' } } };
    const change = async (spec: object, status: object = {}) => {
      const old = { ...created(job, body(spec)), status };
      const { metadata: labels } = old.spec.template;
      return updateErrors(job, { ...old, spec: { ...old.spec, template: { metadata: labels, ...moved } } }, old);
    };
    expect(await change({ suspend: true })).toEqual([]);
    expect(await change({})).toEqual([expect.stringMatching(/^spec\.template: .*: field is immutable$/)]);
    expect(await change({ suspend: true }, { startTime: '2024-01-01T00:00:00Z' })).toHaveLength(1);
  });

  it('is completed with the labels of its template when it has none', () => {
    const old = created(job, body());
    const next = updated(job, { ...old, metadata, spec: {} }, old, 'status');
    expect(next.metadata.labels).toBeUndefined();
    expect(job.storageForm?.fromStorage(next, k8s).metadata.labels).toEqual(old.spec.template.metadata.labels);
  });

  it('cannot leave a success criterion that it has met', async () => {
    const { status } = job.subresources ?? {};
    if (!status || !('strategy' in status)) throw new Error('no status');
    const met = { type: 'SuccessCriteriaMet', status: 'True', lastProbeTime: null, lastTransitionTime: null };
    const old = { ...created(job, body()), status: { conditions: [met] } };
    const next = { ...old, status: { conditions: [] } };
    const context = { host: { gates: featureGates() } } as never;
    const errors = await status.strategy?.validateUpdate?.(next, old, context);
    expect(errors?.map(({ detail }) => detail)).toEqual(['cannot disable the SuccessCriteriaMet=True condition']);
  });

  it('prints its status', () => {
    const now = Date.parse('2024-01-01T02:00:00Z');
    const show = (status: object, spec: object = {}) => {
      const object = { ...created(job, body(spec)), status } as Job;
      return row(job, object, now).slice(1, 4);
    };
    const startTime = '2024-01-01T01:00:00Z';
    expect(show({ startTime, active: 1 }, { completions: 3 })).toEqual(['Running', '0/3', '60m']);
    expect(show({ conditions: [{ type: 'Suspended', status: 'True' }] }, { parallelism: 2 })).toEqual([
      'Suspended',
      '0/1 of 2',
      '',
    ]);
    const done = { startTime, completionTime: '2024-01-01T01:01:00Z', succeeded: 1 };
    expect(show({ ...done, conditions: [{ type: 'Complete', status: 'True' }] })).toEqual(['Complete', '1/1', '60s']);
  });
});

it('a deletion without a propagation policy is warned about', () => {
  const warnings: string[] = [];
  const asking = { ...context, warn: (text: string) => void warnings.push(text) };
  job.strategy?.beforeDelete?.('j', asking, { propagationPolicy: 'Background' });
  job.strategy?.beforeDelete?.('j', asking, { orphanDependents: false });
  expect(warnings).toEqual([]);
  job.strategy?.beforeDelete?.('j', asking, {});
  expect(warnings).toEqual([expect.stringMatching(/^child pods are preserved by default when jobs are deleted/)]);
});
