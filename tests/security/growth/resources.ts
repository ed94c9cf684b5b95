import { equalJson } from '../../../src/json/equal.js';
import { k8s } from '../../../src/meta/dialect.js';
import { featureGates } from '../../../src/meta/features/feature-gates.js';
import { nameIsDns1123Label } from '../../../src/meta/names.js';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../../../src/meta/object-meta.js';
import {
  coreFinalizers,
  validateManagedFields,
  validateMetaOnUpdate,
  validateWholeMeta,
} from '../../../src/meta/object-meta-validation.js';
import { validateOwnerReferences } from '../../../src/meta/owner-references.js';
import type { Pod } from '../../../src/resources/core/core-v1.types.js';
import { podColumns } from '../../../src/resources/core/pod/pod-columns.js';
import { podTemplateWarnings } from '../../../src/resources/core/pod/pod-warnings.js';
import {
  validateEphemeralContainers,
  validatePodUpdate,
} from '../../../src/resources/core/pod/validation/pod-update-validation.js';
import { validateNewPod } from '../../../src/resources/core/pod/validation/pod-validation.js';
import { canonicalQuantity, parseQuantity } from '../../../src/values/quantity.js';
import { type GrowthRow, numbers } from './measure.js';

/** Orders for the second of two lists of n items: reversed, all different, and all equal. */
const ORDERS: Readonly<Record<string, (i: number, n: number) => number>> = {
  reversed: (i, n) => n - 1 - i,
  others: (i, n) => n + i,
  'all equal': () => 0,
};
const orders = Object.entries(ORDERS);

const rules = { namespaced: true, nameRule: nameIsDns1123Label, coreFinalizers: coreFinalizers(k8s) };
const meta = (more: Partial<ObjectMeta>): ObjectMeta =>
  ({ name: 'x', namespace: 'default', uid: 'u', resourceVersion: '1', ...more }) as ObjectMeta;
const reference = (i: number, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name: `p${i}`,
  uid: `u${i}`,
  ...more,
});

/** Lists and maps in the metadata of an object. */
const METADATA: Readonly<Record<string, (items: readonly number[]) => Partial<ObjectMeta>>> = {
  finalizers: (items) => ({ finalizers: items.map((i) => `x.y/f${i}`), deletionTimestamp: '2024-01-01T00:00:00Z' }),
  labels: (items) => ({ labels: Object.fromEntries(items.map((i) => [`l${i}`, 'v'])) }),
  annotations: (items) => ({ annotations: Object.fromEntries(items.map((i) => [`a${i}`, 'v'])) }),
  ownerReferences: (items) => ({ ownerReferences: items.map((i) => reference(i)) }),
  managedFields: (items) => ({
    managedFields: items.map((i) => ({ manager: `m${i}`, operation: 'Update' }) as ManagedFieldsEntry),
  }),
};
const metadata: readonly GrowthRow[] = Object.entries(METADATA).flatMap(([what, make]) =>
  orders.map(([order, at]) => ({
    name: `metadata, ${what}, ${order}`,
    n: 2_000,
    prepare: (n) => {
      const old = meta(make(numbers(n)));
      const next = meta(make(numbers(n).map((i) => at(i, n))));
      return () => [validateWholeMeta(next, rules), validateMetaOnUpdate(next, old, rules), equalJson(next, old)];
    },
  })),
);

/** Lists in the spec and status of a pod. */
const PODS: Readonly<Record<string, (items: readonly number[]) => object>> = {
  schedulingGates: (items) => ({ schedulingGates: items.map((i) => ({ name: `g${i}` })) }),
  tolerations: (items) => ({
    tolerations: items.map((i) => ({ key: `k${i}`, operator: 'Exists', tolerationSeconds: i })),
  }),
  volumes: (items) => ({ volumes: items.map((i) => ({ name: `v${i}`, emptyDir: {} })) }),
  containers: (items) => ({ containers: items.map((i) => ({ name: `c${i}`, image: `i${i}`, resources: {} })) }),
  ephemeralContainers: (items) => ({
    ephemeralContainers: items.map((i) => ({ name: `e${i}`, image: 'i', resources: {} })),
  }),
  env: (items) => inContainer({ env: items.map((i) => ({ name: `E${i}`, value: 'v' })) }),
  envFrom: (items) => inContainer({ envFrom: items.map((i) => ({ prefix: `P${i}`, configMapRef: { name: 'x' } })) }),
  ports: (items) =>
    inContainer({ ports: items.map((i) => ({ name: `p${i}`, containerPort: 1 + (i % 65_000), protocol: 'TCP' })) }),
  'volumeMounts and volumeDevices': (items) =>
    inContainer({
      volumeMounts: items.map((i) => ({ name: `v${i}`, mountPath: `/m${i}` })),
      volumeDevices: items.map((i) => ({ name: `d${i}`, devicePath: `/d${i}` })),
    }),
  limits: (items) => {
    const amounts = Object.fromEntries(items.map((i) => [`x.y/r${i}`, String(i)]));
    return inContainer({ resources: { limits: amounts, requests: amounts } });
  },
  topologySpreadConstraints: (items) => ({
    topologySpreadConstraints: items.map((i) => ({
      maxSkew: 1,
      topologyKey: `t${i}`,
      whenUnsatisfiable: 'DoNotSchedule',
    })),
  }),
  readinessGates: (items) => ({ readinessGates: items.map((i) => ({ conditionType: `x.y/c${i}` })) }),
  nodeSelector: (items) => ({ nodeSelector: Object.fromEntries(items.map((i) => [`n${i}`, 'v'])) }),
};
const inContainer = (more: object) => ({ containers: [{ name: 'c', image: 'i', resources: {}, ...more }] });
const podOf = (spec: object, items: readonly number[]): Pod =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default' },
    spec: {
      containers: [{ name: 'c', image: 'i', resources: {} }],
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      ...spec,
    },
    status: {
      phase: 'Running',
      conditions: items.map((i) => ({ type: `x.y/c${i}`, status: 'True' })),
      containerStatuses: items.map((i) => ({
        name: `c${i}`,
        ready: true,
        restartCount: 1,
        state: { running: {} },
        lastState: {},
      })),
    },
  }) as unknown as Pod;
const podRules = { dialect: k8s, allowPrivileged: false, gates: featureGates() };
const pods: readonly GrowthRow[] = Object.entries(PODS).flatMap(([what, make]) =>
  orders.map(([order, at]) => ({
    name: `pods, ${what}, ${order}`,
    n: 500,
    prepare: (n) => {
      const [before, after] = [numbers(n), numbers(n).map((i) => at(i, n))];
      const [old, next] = [podOf(make(before), before), podOf(make(after), after)];
      return () => [
        validateNewPod(next, podRules),
        validatePodUpdate(next, old, podRules),
        validateEphemeralContainers(next, old, podRules),
        podTemplateWarnings(next, '', k8s),
        podColumns.map(({ cell }) => cell(next, 0)),
      ];
    },
  })),
);

export const rows: readonly GrowthRow[] = [
  ...metadata,
  ...pods,
  {
    name: 'owner references that all control',
    n: 5_000,
    prepare: (n) => {
      const references = numbers(n).map((i) => reference(i, { controller: true }));
      return () => validateOwnerReferences(references, 'metadata.ownerReferences');
    },
  },
  {
    name: 'managers with unprintable names',
    n: 2_000,
    prepare: (n) => {
      const entries = numbers(n).map((i) => ({ manager: `\u0000${i}`, operation: 'Update' }) as ManagedFieldsEntry);
      return () => validateManagedFields(entries, 'metadata.managedFields');
    },
  },
  {
    name: 'quantities, many digits',
    n: 10_000,
    prepare: (n) => {
      const texts = [
        '1'.repeat(n),
        `1${'0'.repeat(n)}`,
        `0.${'0'.repeat(n)}1`,
        `1e${'9'.repeat(n)}`,
        '.'.repeat(n),
        `${'1'.repeat(n)}Ki`,
      ];
      return () => {
        for (const text of texts)
          for (const read of [parseQuantity, canonicalQuantity])
            try {
              read(text);
            } catch {
              /* The function may refuse its input. */
            }
      };
    },
  },
];
