import { describe, expect, it } from 'vitest';
import { k8s, orch } from '../../../src/meta/dialect.js';
import { fromV1, toV1 } from '../../../src/resources/autoscaling/horizontal-pod-autoscaler-conversion.js';
import { horizontalPodAutoscaler, horizontalPodAutoscalerV1 } from '../../../src/resources/autoscaling/index.js';
import { created, createErrors, readBody, row, updated } from '../steps.js';

const metadata = { name: 'a', namespace: 'n' };
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' };
const body = (spec: object = {}, annotations?: Readonly<Record<string, string>>) => ({
  metadata: { ...metadata, ...(annotations ? { annotations } : {}) },
  spec: { scaleTargetRef, maxReplicas: 3, ...spec },
});
const resource = (name: string, averageUtilization: number) => ({
  type: 'Resource',
  resource: { name, target: { type: 'Utilization', averageUtilization } },
});
const queue = {
  type: 'Pods',
  pods: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '1500m' } },
};
const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';

describe('a HorizontalPodAutoscaler', () => {
  it('targets 80 % of the CPU by default', () => {
    const { spec } = created(horizontalPodAutoscaler, body());
    expect(spec).toMatchObject({ minReplicas: 1, metrics: [resource('cpu', 80)] });
    expect(spec).not.toHaveProperty('behavior');
  });

  it('fills in the other half of a behavior', () => {
    const { spec } = created(horizontalPodAutoscaler, body({ behavior: { scaleDown: { selectPolicy: 'Min' } } }));
    expect(spec.behavior).toEqual({
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Max',
        policies: [
          { type: 'Pods', value: 4, periodSeconds: 15 },
          { type: 'Percent', value: 100, periodSeconds: 15 },
        ],
      },
      scaleDown: { selectPolicy: 'Min', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] },
    });
  });

  it.each<[string, object, string[]]>([
    [
      'minReplicas above maxReplicas',
      { minReplicas: 5 },
      ['spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`'],
    ],
    [
      'two sources in one metric',
      { metrics: [{ ...queue, ...resource('cpu', 1) }] },
      ['spec.metrics[0].pods: Forbidden: must populate the given metric source only'],
    ],
    [
      'a source without its target',
      {
        metrics: [
          {
            type: 'Object',
            object: { describedObject: scaleTargetRef, metric: { name: 'm' }, target: { type: 'Value' } },
          },
        ],
      },
      ['spec.metrics[0].object.target.averageValue: Required value: must set either a target value or averageValue'],
    ],
    [
      'a policy with a period of 0 seconds',
      { behavior: { scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 0 }] } } },
      ['spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 0: must be greater than zero'],
    ],
    [
      'an empty list of policies',
      { behavior: { scaleUp: { policies: [] } } },
      ['spec.behavior.scaleUp.policies: Required value: must specify at least one Policy'],
    ],
  ])('is refused with %s', async (_, spec, wanted) =>
    expect(await createErrors(horizontalPodAutoscaler, body(spec))).toEqual(wanted),
  );

  it('prints its current and target metrics', () => {
    const made = created(
      horizontalPodAutoscaler,
      body({ metrics: [resource('cpu', 50), queue, resource('memory', 1)] }),
    );
    const current = [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 20 } } }];
    const object = { ...made, status: { desiredReplicas: 2, currentReplicas: 1, currentMetrics: current } };
    expect(row(horizontalPodAutoscaler, object, 0).slice(0, 6)).toEqual([
      'a',
      'Deployment/d',
      'cpu: 20%/50%, <unknown>/1500m + 1 more...',
      '1',
      3,
      1,
    ]);
  });
});

describe('one autoscaler in two versions', () => {
  const whole = () =>
    readBody(
      horizontalPodAutoscaler,
      body({
        metrics: [queue, resource('cpu', 40), resource('memory', 60)],
        behavior: { scaleDown: { stabilizationWindowSeconds: 5 } },
      }),
    );

  it('has the CPU target in v1, and the rest in annotations', () => {
    const v1 = toV1(whole(), k8s);
    expect(v1.spec).toEqual({ scaleTargetRef, minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 40 });
    expect(JSON.parse(v1.metadata.annotations?.[METRICS] ?? '')).toEqual([
      { type: 'Pods', pods: { metricName: 'q', targetAverageValue: '1500m' } },
      { type: 'Resource', resource: { name: 'memory', targetAverageUtilization: 60 } },
    ]);
    expect(Object.keys(toV1(whole(), orch).metadata.annotations ?? {})).toContain('autoscaling.alpha.orch.io/metrics');
  });

  it.each([k8s, orch])('loses nothing in conversion to v1 and back ($name)', (dialect) => {
    const back = fromV1(toV1(whole(), dialect), dialect);
    const [pods, cpu, memory] = whole().spec.metrics ?? [];
    expect(back.spec).toEqual({ ...whole().spec, metrics: [pods, memory, cpu] });
    expect(back.metadata).toEqual(whole().metadata);
  });

  it('loses nothing of its status in conversion either', () => {
    const status = {
      observedGeneration: 3,
      lastScaleTime: '2024-01-01T00:00:00Z',
      currentReplicas: 3,
      desiredReplicas: 4,
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 12, averageValue: '3m' } } },
        { type: 'Pods', pods: { metric: { name: 'p' }, current: { averageValue: '4' } } },
      ],
      conditions: [{ type: 'AbleToScale', status: 'True', lastTransitionTime: null }],
    };
    const v1 = toV1({ ...whole(), status }, k8s);
    expect(v1.status.currentCPUUtilizationPercentage).toBe(12);
    expect(fromV1(v1, k8s).status).toEqual(status);
  });

  it.each([
    ['no JSON', 'not json'],
    ['another shape', '{"type":"Pods"}'],
    ['other types', '[{"type":5}]'],
  ])('ignores an annotation that is %s', (_, text) => {
    const { spec, metadata: read } = fromV1(readBody(horizontalPodAutoscalerV1, body({}, { [METRICS]: text })), k8s);
    expect(spec.metrics).toEqual([resource('cpu', 80)]);
    expect(read).not.toHaveProperty('annotations');
  });

  it('is validated as v2, whatever an annotation contains', async () => {
    const annotations = { [METRICS]: '[{"type":"External"}]' };
    expect(await createErrors(horizontalPodAutoscalerV1, body({}, annotations))).toEqual([
      'spec.metrics[0].external: Required value: must populate information for the given metric source',
    ]);
  });

  it('keeps its observed metrics through a v1 update without the annotations', () => {
    const currentMetrics = [{ type: 'Pods', pods: { metric: { name: 'p' }, current: { averageValue: '4' } } }];
    const old = toV1({ ...whole(), status: { desiredReplicas: 1, currentMetrics } }, k8s);
    const next = updated(horizontalPodAutoscalerV1, body({ maxReplicas: 9 }), old);
    expect(fromV1(next, k8s).status.currentMetrics).toEqual(currentMetrics);
    expect(next.spec.maxReplicas).toBe(9);
  });
});
