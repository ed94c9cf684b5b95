import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { k8s, orch } from '../../src/meta/dialect.js';
import { formatGroupVersion } from '../../src/meta/group-version.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import type { ResourceDefinition } from '../../src/registry/resource-definition.js';
import { serveResource } from '../../src/registry/served/served-resource.js';
import type { Draft } from '../../src/registry/strategy.js';
import { horizontalPodAutoscaler, horizontalPodAutoscalerV1 } from '../../src/resources/autoscaling/index.js';
import { builtinResources } from '../../src/resources/index.js';
import { decodeTyped } from '../../src/schema/decode.js';
import { arbitraryValue } from '../support/arbitrary-value.js';
import { propertyRuns } from '../support/property-runs.js';

const metadata = { name: 'n', namespace: 'default', labels: { a: 'b' }, annotations: { c: 'd' } };

/** Returns an object as a server stores it after it was received: decoded and with defaults. */
function received(definition: ResourceDefinition, fields: object, dialect = k8s): ApiObject {
  const { gvk } = serveResource(definition, dialect);
  const body = { ...fields, kind: gvk.kind, apiVersion: formatGroupVersion(gvk), metadata };
  const draft = structuredClone(decodeTyped(definition.schema, body).value) as unknown as Draft<ApiObject>;
  definition.setDefaults?.(draft, dialect);
  return draft as ApiObject;
}

const stored = (definition: ResourceDefinition) => {
  if (!definition.storedAs) throw new TypeError(`${definition.kind} is a version by itself`);
  return definition.storedAs;
};

const pairs = builtinResources
  .filter(({ storedAs }) => storedAs !== undefined)
  .map((version) => ({
    name: `${version.kind} ${version.groupStem}/${version.version}`,
    version,
    hub: stored(version).definition,
  }));

describe.each(pairs.filter(({ version }) => version !== horizontalPodAutoscalerV1))('$name', ({ version, hub }) => {
  const form = stored(version);
  it.each([k8s, orch])('returns from the stored version unchanged ($name)', (dialect) => {
    fc.assert(
      fc.property(arbitraryValue(version.schema), (fields) => {
        const object = received(version, fields as object, dialect);
        expect(form.fromStorage(form.toStorage(object, dialect), dialect)).toEqual(object);
      }),
      { numRuns: propertyRuns(60) },
    );
  });

  it('returns all fields of the stored version', () => {
    fc.assert(
      fc.property(arbitraryValue(hub.schema), (fields) => {
        const object = received(hub, fields as object);
        expect(form.toStorage(form.fromStorage(object, k8s), k8s)).toEqual(object);
      }),
      { numRuns: propertyRuns(60) },
    );
  });
});

describe('HorizontalPodAutoscaler autoscaling/v1', () => {
  const average = fc.record({ type: fc.constant('AverageValue'), averageValue: fc.constantFrom('1', '500m') });
  const total = fc.record({ type: fc.constant('Value'), value: fc.constantFrom('3', '2Gi') });
  const target = fc.oneof(average, total);
  const metric = fc.record({ name: fc.constantFrom('p', 'q') }, { requiredKeys: ['name'] });
  const described = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' };
  const metricSpec = fc.oneof(
    fc.record({
      type: fc.constant('Resource'),
      resource: fc.record({ name: fc.constant('memory'), target: average }),
    }),
    fc.record({ type: fc.constant('Pods'), pods: fc.record({ metric, target: average }) }),
    fc.record({ type: fc.constant('External'), external: fc.record({ metric, target }) }),
    fc.record({
      type: fc.constant('Object'),
      object: fc.record({ describedObject: fc.constant(described), metric, target }),
    }),
    fc.record({
      type: fc.constant('ContainerResource'),
      containerResource: fc.record({ name: fc.constant('cpu'), container: fc.constant('c'), target: average }),
    }),
  );
  const processor = fc.integer({ min: 1, max: 100 }).map((averageUtilization) => ({
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
  }));
  const rules = fc.record({
    stabilizationWindowSeconds: fc.nat(100),
    selectPolicy: fc.constantFrom('Max', 'Min', 'Disabled'),
    policies: fc.array(
      fc.record({ type: fc.constantFrom('Pods', 'Percent'), value: fc.constant(1), periodSeconds: fc.constant(60) }),
      { minLength: 1, maxLength: 2 },
    ),
  });
  const spec = fc.record(
    {
      scaleTargetRef: fc.constant(described),
      minReplicas: fc.constantFrom(1, 2),
      maxReplicas: fc.constantFrom(3, 5),
      metrics: fc.tuple(fc.array(metricSpec, { maxLength: 2 }), processor).map(([others, one]) => [...others, one]),
      behavior: fc.record({ scaleUp: rules, scaleDown: rules }),
    },
    { requiredKeys: ['scaleTargetRef', 'maxReplicas', 'metrics'] },
  );
  const form = stored(horizontalPodAutoscalerV1);

  it.each([k8s, orch])('stores in annotations what it cannot express ($name)', (dialect) => {
    fc.assert(
      fc.property(spec, (wanted) => {
        const object = received(horizontalPodAutoscaler, { spec: wanted }, dialect);
        const older = form.fromStorage(object, dialect);
        expect(older.apiVersion).toBe('autoscaling/v1');
        expect(form.toStorage(older, dialect)).toEqual(object);
        // If a client of the older version sends back what it read, nothing changes.
        const again = received(horizontalPodAutoscalerV1, older, dialect);
        expect(form.toStorage({ ...again, metadata: older.metadata }, dialect)).toEqual(object);
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});
