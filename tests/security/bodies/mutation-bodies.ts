import type { JsonObject } from '../../../src/json/value.js';
import type { Dialect } from '../../../src/meta/dialect.js';
import { groupOf } from '../../../src/meta/dialect.js';

/** A valid body of a kind, and its path. Kinds with `stored` have objects of this name that can be changed. */
export interface Sample {
  readonly collection: string;
  readonly body: JsonObject;
  readonly stored: boolean;
  /** Names of subresources that accept bodies. */
  readonly subresources: readonly string[];
}

const NAME = 'sample';
const meta = {
  name: NAME,
  labels: { app: 'a' },
  annotations: { note: 'n' },
  ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u', controller: true }],
};

/** One body of every shape that the API accepts. @param request a certificate request, as base64 of its PEM form */
export function samples(dialect: Dialect, request: string): readonly Sample[] {
  const group = (stem: string) => groupOf(dialect, stem);
  const core = (plural: string, kind: string, rest: JsonObject, subresources: string[] = []): Sample => ({
    collection: `/api/v1/namespaces/default/${plural}`,
    body: { apiVersion: 'v1', kind, metadata: meta, ...rest },
    stored: true,
    subresources,
  });
  const wide = (sample: Sample): Sample => ({
    ...sample,
    collection: sample.collection.replace('/namespaces/default', ''),
  });
  const grouped = (stem: string, sample: Sample, version = 'v1'): Sample => ({
    ...sample,
    collection: sample.collection.replace('/api/v1', `/apis/${group(stem)}/${version}`),
    body: { ...sample.body, apiVersion: `${group(stem)}/${version}` },
  });
  const virtual = (sample: Sample): Sample => ({ ...sample, stored: false });
  const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] }];
  const rbac = group('rbac.authorization');
  const term = { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] };
  return [
    core('configmaps', 'ConfigMap', {
      metadata: { ...meta, finalizers: ['example.com/f'] },
      data: { a: 'b' },
      binaryData: { c: 'AA==' },
      immutable: false,
    }),
    core('secrets', 'Secret', { type: 'Opaque', data: { a: 'AA==' }, stringData: { b: 'c' } }),
    core('serviceaccounts', 'ServiceAccount', { secrets: [{ name: 'a' }], imagePullSecrets: [{ name: 'b' }] }),
    core(
      'pods',
      'Pod',
      {
        spec: {
          containers: [
            {
              name: 'a',
              image: 'i',
              ports: [{ name: 'p', containerPort: 80, protocol: 'TCP' }],
              env: [
                { name: 'E', value: 'v' },
                { name: 'F', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
              ],
              envFrom: [{ configMapRef: { name: 'c' } }],
              resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } },
              volumeMounts: [{ name: 'v', mountPath: '/v' }],
              livenessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 5 },
              securityContext: { runAsUser: 1 },
            },
          ],
          initContainers: [{ name: 'i', image: 'i' }],
          volumes: [
            { name: 'v', configMap: { name: 'c', items: [{ key: 'k', path: 'p' }] } },
            { name: 'w', projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 3600 } }] } },
          ],
          tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }],
          affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'z',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: { matchLabels: { a: 'b' } },
            },
          ],
          schedulingGates: [{ name: 'g' }],
          nodeSelector: { a: 'b' },
        },
        status: { phase: 'Pending', conditions: [{ type: 'Ready', status: 'True' }], podIPs: [{ ip: '1.2.3.4' }] },
      },
      ['status'],
    ),
    core('events', 'Event', {
      metadata: { ...meta, namespace: 'default' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'a' },
      reason: 'R',
      message: 'm',
      type: 'Normal',
      firstTimestamp: '2026-01-01T00:00:00Z',
      count: 1,
      source: { component: 'c' },
    }),
    wide(
      core(
        'nodes',
        'Node',
        {
          spec: { taints: [{ key: 'k', effect: 'NoSchedule' }], podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] },
          status: { capacity: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }], addresses: [] },
        },
        ['status'],
      ),
    ),
    wide(
      core('namespaces', 'Namespace', { spec: { finalizers: [dialect.namespaceFinalizer] } }, ['status', 'finalize']),
    ),
    grouped(
      'coordination',
      core('leases', 'Lease', {
        spec: { holderIdentity: 'h', leaseDurationSeconds: 1, renewTime: '2026-01-01T00:00:00.000000Z' },
      }),
    ),
    grouped('rbac.authorization', core('roles', 'Role', { rules })),
    grouped(
      'rbac.authorization',
      wide(
        core('clusterroles', 'ClusterRole', {
          rules,
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] },
        }),
      ),
    ),
    grouped(
      'rbac.authorization',
      core('rolebindings', 'RoleBinding', {
        roleRef: { apiGroup: rbac, kind: 'Role', name: 'r' },
        subjects: [{ kind: 'User', name: 'u', apiGroup: rbac }],
      }),
    ),
    grouped(
      'certificates',
      wide(
        core(
          'certificatesigningrequests',
          'CertificateSigningRequest',
          {
            spec: { request, signerName: 'example.com/s', usages: ['client auth'] },
            status: { conditions: [{ type: 'Approved', status: 'True', reason: 'r' }] },
          },
          ['status', 'approval'],
        ),
      ),
    ),
    virtual(
      grouped('authentication', wide(core('tokenreviews', 'TokenReview', { spec: { token: 't', audiences: ['a'] } }))),
    ),
    virtual(grouped('authentication', wide(core('selfsubjectreviews', 'SelfSubjectReview', {})))),
    virtual(
      grouped(
        'authorization',
        wide(
          core('subjectaccessreviews', 'SubjectAccessReview', {
            spec: {
              user: 'u',
              groups: ['g'],
              extra: { a: ['b'] },
              resourceAttributes: { verb: 'get', resource: 'pods', fieldSelector: { rawSelector: 'a=b' } },
            },
          }),
        ),
      ),
    ),
    virtual(
      grouped(
        'authorization',
        core('localsubjectaccessreviews', 'LocalSubjectAccessReview', {
          spec: { user: 'u', resourceAttributes: { verb: 'get', namespace: 'default', resource: 'pods' } },
        }),
      ),
    ),
    virtual(
      grouped(
        'authorization',
        wide(core('selfsubjectrulesreviews', 'SelfSubjectRulesReview', { spec: { namespace: 'default' } })),
      ),
    ),
    virtual({
      collection: '/api/v1/namespaces/default/serviceaccounts/sample/token',
      body: {
        apiVersion: `${group('authentication')}/v1`,
        kind: 'TokenRequest',
        spec: {
          audiences: ['a'],
          expirationSeconds: 600,
          boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'sample', uid: 'u' },
        },
      },
      stored: false,
      subresources: [],
    }),
  ];
}
