import { describe, expect, it } from 'vitest';
import { pod } from '../../src/resources/core/index.js';
import { created, createErrors, readBody, updateErrors } from './steps.js';

const metadata = { name: 'p', namespace: 'n' };
const c = (more: object = {}) => ({ name: 'c', image: 'img:1', ...more });
const spec = (more: object) => ({ metadata, spec: { containers: [c()], ...more } });
const one = (more: object) => ({ metadata, spec: { containers: [c(more)] } });
const LABEL = expect.stringContaining('must consist of');

describe('validation of containers', () => {
  it.each<[string, object, unknown[]]>([
    [
      'reports names of ports',
      {
        ports: [
          { name: 'A--', containerPort: 1 },
          { name: 'web', containerPort: 2 },
          { name: 'web', containerPort: 3 },
        ],
      },
      [
        'ports[0].name: Invalid value: "A--": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
        'ports[0].name: Invalid value: "A--": must contain at least one letter (a-z)',
        'ports[0].name: Invalid value: "A--": must not contain consecutive hyphens',
        'ports[0].name: Invalid value: "A--": must not begin or end with a hyphen',
        'ports[2].name: Duplicate value: "web"',
      ],
    ],
    [
      'reports a host port that is used twice',
      {
        ports: [
          { containerPort: 1, hostPort: 80 },
          { containerPort: 2, hostPort: 80 },
        ],
      },
      ['ports[1].hostPort: Duplicate value: "TCP//80"'],
    ],
    [
      'reports sources of variables',
      {
        env: [
          { name: 'A', valueFrom: {} },
          { name: 'B', valueFrom: { fieldRef: { fieldPath: 'nope' } } },
          { name: 'C', valueFrom: { fieldRef: { fieldPath: "metadata.labels['a']" } } },
          { name: 'D', valueFrom: { secretKeyRef: { name: 's', key: '' } } },
        ],
        envFrom: [{ prefix: '1' }, { configMapRef: {} }],
      },
      [
        'env[0].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
        expect.stringContaining('env[1].valueFrom.fieldRef.fieldPath: Invalid value: "nope"'),
        'env[3].valueFrom.secretKeyRef.key: Required value',
        LABEL,
        'envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
        'envFrom[1].configMapRef.name: Required value',
      ],
    ],
    [
      'reports probes',
      {
        livenessProbe: { httpGet: { port: 0 }, successThreshold: 2 },
        readinessProbe: { exec: { command: [] }, periodSeconds: -1, terminationGracePeriodSeconds: 1 },
        startupProbe: {},
        lifecycle: { preStop: {} },
      },
      [
        'lifecycle.preStop: Required value: must specify a handler type',
        'livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive',
        'livenessProbe.successThreshold: Invalid value: 2: must be 1',
        'readinessProbe.exec.command: Required value',
        'readinessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
        'readinessProbe.terminationGracePeriodSeconds: Invalid value: 1: must not be set for readinessProbes',
        'startupProbe: Required value: must specify a handler type',
      ],
    ],
    [
      'reports mounts of volumes',
      { volumeMounts: [{ name: 'v', mountPath: '/x', subPath: '../y' }] },
      ['volumeMounts[0].name: Not found: "v"', 'volumeMounts.subPath: Invalid value: "../y": must not contain \'..\''],
    ],
    [
      'reports amounts and ids',
      { resources: { limits: { cpu: '-1' } }, securityContext: { runAsUser: -1 }, restartPolicy: 'Always' },
      [
        'resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
        'resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0',
        'securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
        'restartPolicy: Forbidden: may not be set for non-init containers',
      ],
    ],
    [
      'reports a space around the image',
      { image: ' a' },
      ['image: Invalid value: " a": must not have leading or trailing whitespace'],
    ],
  ])('%s', async (_, more, errors) => {
    const found = await createErrors(pod, one(more));
    expect(found.map((text) => text.replace('spec.containers[0].', ''))).toEqual(errors);
  });

  it('init containers can have probes only if they are restarted always', async () => {
    const probed = { ...c(), name: 'i', livenessProbe: { exec: { command: ['x'] } } };
    expect(await createErrors(pod, spec({ initContainers: [{ ...probed, restartPolicy: 'Always' }] }))).toEqual([]);
    expect(await createErrors(pod, spec({ initContainers: [probed] }))).toEqual([
      'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
    ]);
  });

  it('containers cannot be added to an existing pod', async () => {
    expect(await createErrors(pod, spec({ ephemeralContainers: [{ ...c(), name: 'e' }] }))).toEqual([
      'spec.ephemeralContainers: Forbidden: cannot be set on create',
    ]);
  });
});

describe('validation of volumes', () => {
  const token = { projected: { sources: [{ serviceAccountToken: { path: '/t', expirationSeconds: 5 } }] } };
  it.each<[object, unknown[]]>([
    [{ hostPath: { path: '/a/../b' } }, ['hostPath.path: Invalid value: "/a/../b": must not contain \'..\'']],
    [{ secret: { defaultMode: 512 } }, ['secret.secretName: Required value', expect.stringContaining('0777')]],
    [{ nfs: { server: 's', path: 'x' } }, ['nfs.path: Invalid value: "x": must be an absolute path']],
    [
      { configMap: { name: 'm', items: [{}] } },
      ['configMap.items[0].key: Required value', 'configMap.items[0].path: Required value'],
    ],
    [{ persistentVolumeClaim: {} }, ['persistentVolumeClaim.claimName: Required value']],
    [{ ephemeral: {} }, ['ephemeral.volumeClaimTemplate: Required value']],
    [
      token,
      [
        'projected.sources[0].serviceAccountToken.expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes',
        'projected.path: Invalid value: "/t": must be a relative path',
        'projected.sources[0].serviceAccountToken: Forbidden: must not be specified when serviceAccountName is not set',
      ],
    ],
  ])('%j', async (source, errors) => {
    const found = await createErrors(pod, spec({ volumes: [{ name: 'v', ...source }] }));
    expect(found.map((text) => text.replace('spec.volumes[0].', ''))).toEqual(errors);
  });
});

describe('validation of scheduling', () => {
  const nodes = (term: object) => ({
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
  });
  const TERM = 'affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]';
  const near = { labelSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] }, topologyKey: '' };
  it.each<[string, object, unknown[]]>([
    [
      'reports labels of nodeSelector',
      { nodeSelector: { 'a b': 'c' } },
      [expect.stringContaining('nodeSelector: Invalid value: "a b"')],
    ],
    [
      'reports tolerations',
      {
        tolerations: [
          { operator: 'Equal' },
          { key: 'a', tolerationSeconds: 1 },
          { key: 'a', operator: 'Exists', value: 'x' },
          { key: 'a', operator: 'Is', effect: 'No' },
        ],
      },
      [
        'tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
        'tolerations[1].effect: Invalid value: "": effect must be \'NoExecute\' when `tolerationSeconds` is set',
        'tolerations[2].operator: Invalid value: core.Toleration{Key:"a", Operator:"Exists", Value:"x", Effect:"", TolerationSeconds:(*int64)(nil)}: value must be empty when `operator` is \'Exists\'',
        'tolerations[3].operator: Unsupported value: "Is": supported values: "Equal", "Exists"',
        'tolerations[3].effect: Unsupported value: "No": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
    [
      'reports node affinity',
      {
        affinity: nodes({
          matchExpressions: [
            { key: 'a', operator: 'In' },
            { key: 'a', operator: 'Gt', values: [] },
          ],
        }),
      },
      [
        `${TERM}.matchExpressions[0].values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
        `${TERM}.matchExpressions[1].values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
      ],
    ],
    [
      'reports fields in node affinity',
      { affinity: nodes({ matchFields: [{ key: 'x', operator: 'Exists' }] }) },
      [
        `${TERM}.matchFields[0].operator: Invalid value: "Exists": not a valid selector operator`,
        `${TERM}.matchFields[0].key: Invalid value: "x": not a valid field selector key`,
      ],
    ],
    [
      'reports affinity to other pods',
      {
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 0, podAffinityTerm: near }],
          },
        },
      },
      [
        'affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100',
        expect.stringContaining('podAffinityTerm.labelSelector.matchExpressions[0].operator: Invalid value: "Is"'),
        expect.stringContaining('podAffinityTerm.topologyKey: Required value: can not be empty'),
        expect.stringContaining('podAffinityTerm.topologyKey: Invalid value: "": name part must be non-empty'),
        LABEL,
      ],
    ],
    [
      'reports topology spread constraints',
      { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: 'zone', whenUnsatisfiable: 'Hope' }] },
      [
        'topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
        'topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "Hope": supported values: "DoNotSchedule", "ScheduleAnyway"',
      ],
    ],
    [
      'reports a node beside scheduling gates',
      { schedulingGates: [{ name: 'g' }], nodeName: 'x' },
      ['nodeName: Forbidden: cannot be set until all schedulingGates have been cleared'],
    ],
    [
      'reports a missing DNS configuration',
      { dnsPolicy: 'None' },
      ['dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None'],
    ],
  ])('%s', async (_, more, errors) => {
    const found = await createErrors(pod, spec(more));
    expect(found.map((text) => text.replace('spec.', ''))).toEqual(errors);
  });
});

describe('tolerations in the deprecated annotation', () => {
  const at = 'scheduler.alpha.kubernetes.io/tolerations';
  const errors = (text: string) =>
    createErrors(pod, { metadata: { ...metadata, annotations: { [at]: text } }, spec: { containers: [c()] } });

  it.each(['', 'null', '[]', '[{"Key": "a", "operator": "Exists", "unknown": 1}]'])('%j is accepted', async (text) => {
    expect(await errors(text)).toEqual([]);
  });

  it.each([
    ['[{"key": "a b", "OPERATOR": "Exists"}]', `metadata.annotations.${at}[0].key: Invalid value: "a b": name part`],
    ['[null]', `metadata.annotations.${at}[0].operator: Invalid value`],
    ['[', `metadata.annotations: Invalid value: "${at}": unexpected end of JSON input`],
    ['{}', `metadata.annotations: Invalid value: "${at}": json: cannot unmarshal object into Go value of type []core`],
    ['[{"key": 1}]', `metadata.annotations: Invalid value: "${at}": json: cannot unmarshal number`],
  ])('%j is refused', async (text, error) => {
    expect(await errors(text)).toEqual([expect.stringContaining(error)]);
  });
});

describe('a pod', () => {
  it('with scheduling gates has the condition that it is not scheduled', () => {
    expect(created(pod, spec({ schedulingGates: [{ name: 'g' }] })).status.conditions).toMatchObject([
      { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' },
    ]);
  });
  it('returns its first address in both fields', () => {
    const both = { podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] };
    expect(readBody(pod, { ...spec({}), status: { podIP: '10.0.0.1' } }).status).toEqual(both);
    expect(readBody(pod, { ...spec({}), status: { podIPs: both.podIPs } }).status).toEqual(both);
  });
  it('reports the fields that an update cannot change', async () => {
    const old = created(pod, spec({ hostname: 'a' }));
    const [text = ''] = await updateErrors(pod, spec({ hostname: 'b' }), old);
    expect(text.slice(text.indexOf('\n'))).toBe('\n- \thostname: "a"\n+ \thostname: "b"\n');
  });
});
