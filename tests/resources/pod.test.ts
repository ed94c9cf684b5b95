import { describe, expect, it } from 'vitest';
import { pod } from '../../src/resources/core/index.js';
import { created, createErrors, readBody, row } from './steps.js';

const meta = { name: 'p', namespace: 'n', creationTimestamp: '2026-01-01T00:00:00Z' };
const c = (name: string, more: object = {}) => ({ name, image: 'img:1', ...more });
const body = (spec: object, more: object = {}) => ({ metadata: meta, spec, ...more });
const simple = body({ containers: [c('a')] });

describe('a new pod', () => {
  it('has defaults', () => {
    const made = created(
      pod,
      body({
        containers: [c('a', { ports: [{ containerPort: 80 }], livenessProbe: { httpGet: { port: 'x' } } })],
        volumes: [{ name: 'v' }, { name: 's', secret: { secretName: 'x' } }],
      }),
    );
    expect(made.spec).toMatchObject({
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      terminationGracePeriodSeconds: 30,
      securityContext: {},
      enableServiceLinks: true,
      containers: [
        {
          terminationMessagePath: '/dev/termination-log',
          terminationMessagePolicy: 'File',
          imagePullPolicy: 'IfNotPresent',
          ports: [{ containerPort: 80, protocol: 'TCP' }],
          resources: {},
          livenessProbe: {
            httpGet: { path: '/', port: 'x', scheme: 'HTTP' },
            timeoutSeconds: 1,
            periodSeconds: 10,
            successThreshold: 1,
            failureThreshold: 3,
          },
        },
      ],
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 's', secret: { secretName: 'x', defaultMode: 420 } },
      ],
    });
  });

  it.each([
    ['a', 'Always'],
    ['a:latest', 'Always'],
    ['host:5000/a', 'Always'],
    ['host:5000/a:1', 'IfNotPresent'],
    ['a:latest@sha256:00', 'IfNotPresent'],
    [`a:latest@sha256:${'0'.repeat(64)}`, 'Always'],
  ])('with the image %s has the pull policy %s', (image, policy) => {
    expect(created(pod, body({ containers: [{ name: 'a', image }] })).spec.containers[0]?.imagePullPolicy).toBe(policy);
  });

  it('has its ServiceAccount under both names', () => {
    expect(created(pod, body({ containers: [c('a')], serviceAccount: 'robot' })).spec).toMatchObject({
      serviceAccountName: 'robot',
      serviceAccount: 'robot',
    });
  });

  it('drops deprecated annotations for init containers', () => {
    const annotations = Object.fromEntries(
      ['alpha', 'beta'].flatMap((stage) =>
        ['containers', 'container-statuses'].map((what) => [`pod.${stage}.kubernetes.io/init-${what}`, 'x']),
      ),
    );
    const made = (more: object) =>
      created(pod, { ...simple, metadata: { ...meta, annotations: { ...annotations, ...more } } }).metadata.annotations;
    expect([made({}), made({ kept: 'y' })]).toEqual([undefined, { kept: 'y' }]);
  });

  it('is selected by its node under the deprecated name as well', () => {
    const { 'spec.host': host } = pod.selectableFields ?? {};
    expect(host?.(created(pod, body({ containers: [c('a')], nodeName: 'n1' })))).toBe('n1');
  });

  it('is selected by its first address, but not by further ones', () => {
    const { 'status.podIP': first, 'status.podIPs': all } = pod.selectableFields ?? {};
    const status = { podIP: '1.2.3.4', podIPs: [{ ip: '1.2.3.4' }, { ip: 'fd00::1' }] };
    const read = readBody(pod, { ...simple, status });
    expect([first?.(read), all?.(read)]).toEqual(['1.2.3.4', '']);
  });

  it('has the phase Pending, whatever the client sends', () => {
    expect(created(pod, { ...simple, status: { phase: 'Running', podIP: '1.2.3.4' } }).status).toEqual({
      phase: 'Pending',
      qosClass: 'BestEffort',
    });
  });

  it.each([
    ['BestEffort', {}],
    ['Burstable', { requests: { cpu: '1' } }],
    ['Burstable', { limits: { cpu: '1' } }],
    ['Guaranteed', { limits: { cpu: '1', memory: '1Gi' } }],
    ['Guaranteed', { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } }],
    ['Burstable', { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } }],
    ['BestEffort', { requests: { cpu: '0' } }],
  ])('has the QoS class %s with %j', (qosClass, resources) => {
    expect(created(pod, body({ containers: [c('a', { resources })] })).status.qosClass).toBe(qosClass);
  });

  it.each<[string, object, string[]]>([
    ['valid containers', { containers: [c('a'), c('b')], initContainers: [c('i')] }, []],
    ['no containers', { containers: [] }, ['spec.containers: Required value']],
    ['an empty spec', {}, ['spec.containers: Required value']],
    ['a container without a name', { containers: [{ image: 'x' }] }, ['spec.containers[0].name: Required value']],
    ['a container without an image', { containers: [{ name: 'a' }] }, ['spec.containers[0].image: Required value']],
    ['two containers of one name', { containers: [c('a'), c('a')] }, ['spec.containers[1].name: Duplicate value: "a"']],
    [
      'an init container with the name of a container',
      { containers: [c('a')], initContainers: [c('a')] },
      ['spec.initContainers[0].name: Duplicate value: "a"'],
    ],
    [
      'policies',
      { containers: [c('a', { imagePullPolicy: 'Now' })], restartPolicy: 'Maybe' },
      [
        'spec.containers[0].imagePullPolicy: Unsupported value: "Now": supported values: "Always", "IfNotPresent", "Never"',
        'spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never"',
      ],
    ],
    [
      'ports',
      { containers: [c('a', { ports: [{ containerPort: 0 }, { containerPort: 70000, protocol: 'X' }] })] },
      [
        'spec.containers[0].ports[0].containerPort: Required value',
        'spec.containers[0].ports[1].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
        'spec.containers[0].ports[1].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
      ],
    ],
    [
      'mounts',
      {
        containers: [
          c('a', {
            volumeMounts: [
              { name: 'v', mountPath: '/x' },
              { name: 'v', mountPath: '/x' },
              { name: 'w', mountPath: '/y' },
            ],
          }),
        ],
        volumes: [{ name: 'v' }],
      },
      [
        'spec.containers[0].volumeMounts[1].mountPath: Invalid value: "/x": must be unique',
        'spec.containers[0].volumeMounts[2].name: Not found: "w"',
      ],
    ],
    [
      'volumes',
      {
        containers: [c('a')],
        volumes: [{ name: 'w', emptyDir: {}, hostPath: { path: '/' } }, { name: 'v' }, { name: 'v' }],
      },
      [
        'spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
        'spec.volumes[2].name: Duplicate value: "v"',
      ],
    ],
    [
      'requests above limits',
      { containers: [c('a', { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } })] },
      ['spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
    ],
    [
      'invalid variables',
      {
        containers: [
          c('a', {
            env: [
              { name: 'X', value: '1', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
              { name: '1' },
              {},
            ],
          }),
        ],
      },
      [
        'spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
        expect.stringMatching(/^spec.containers\[0\].env\[1\].name: Invalid value: "1": a valid environment/),
        'spec.containers[0].env[2].name: Required value',
      ],
    ],
  ])('is validated with %s', async (_, spec, errors) => {
    expect(await createErrors(pod, body(spec))).toEqual(errors);
  });
});

describe('deletion', () => {
  const period = (spec: object, phase: string, requested?: number) =>
    pod.strategy?.gracePeriod?.(
      { ...created(pod, body({ containers: [c('a')], ...spec })), status: { phase: phase as 'Running' } },
      requested,
    );
  it('is graceful only on a node', () => {
    expect(period({}, 'Pending')).toBe(0);
    expect(period({}, 'Pending', 5)).toBe(0);
    expect(period({ nodeName: 'x' }, 'Running')).toBe(30);
    expect(period({ nodeName: 'x' }, 'Running', 5)).toBe(5);
    expect(period({ nodeName: 'x' }, 'Succeeded')).toBe(0);
  });
});

describe('the table', () => {
  const now = Date.parse('2026-01-01T00:05:00Z');
  const status = (name: string, more: object) => ({
    name,
    image: '',
    imageID: '',
    ready: false,
    restartCount: 0,
    state: {},
    lastState: {},
    ...more,
  });
  const show = (status: object, spec: object = {}, metadata: object = {}) => {
    const made = created(pod, body({ containers: [c('a'), c('b')], ...spec }));
    return row(pod, { ...made, metadata: { ...made.metadata, ...metadata }, status }, now).join(' | ');
  };
  const running = (name: string) => status(name, { ready: true, state: { running: { startedAt: null } } });

  it.each<[string, string]>([
    ['p | 0/2 | Pending | 0 | 5m', show({ phase: 'Pending' })],
    ['p | 2/2 | Running | 0 | 5m', show({ phase: 'Running', containerStatuses: [running('a'), running('b')] })],
    [
      'p | 1/2 | CrashLoopBackOff | 3 (60s ago) | 5m',
      show({
        phase: 'Running',
        containerStatuses: [
          running('a'),
          status('b', {
            restartCount: 3,
            state: { waiting: { reason: 'CrashLoopBackOff' } },
            lastState: { terminated: { exitCode: 1, startedAt: null, finishedAt: '2026-01-01T00:04:00Z' } },
          }),
        ],
      }),
    ],
    [
      'p | 0/2 | Init:0/1 | 0 | 5m',
      show(
        { phase: 'Pending', initContainerStatuses: [status('i', { state: { running: { startedAt: null } } })] },
        { initContainers: [c('i')] },
      ),
    ],
    [
      'p | 0/2 | Init:Error | 0 | 5m',
      show(
        {
          phase: 'Pending',
          initContainerStatuses: [
            status('i', { state: { terminated: { exitCode: 1, reason: 'Error', startedAt: null, finishedAt: null } } }),
          ],
        },
        { initContainers: [c('i')] },
      ),
    ],
    [
      'p | 0/2 | ExitCode:3 | 0 | 5m',
      show({
        phase: 'Failed',
        containerStatuses: [status('a', { state: { terminated: { exitCode: 3, startedAt: null, finishedAt: null } } })],
      }),
    ],
    [
      'p | 1/2 | NotReady | 0 | 5m',
      show({
        phase: 'Running',
        containerStatuses: [
          status('a', {
            state: { terminated: { exitCode: 0, reason: 'Completed', startedAt: null, finishedAt: null } },
          }),
          running('b'),
        ],
      }),
    ],
    ['p | 0/2 | Terminating | 0 | 5m', show({ phase: 'Running' }, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
    [
      'p | 0/2 | SchedulingGated | 0 | 5m',
      show({
        phase: 'Pending',
        conditions: [
          {
            type: 'PodScheduled',
            status: 'False',
            reason: 'SchedulingGated',
            lastProbeTime: null,
            lastTransitionTime: null,
          },
        ],
      }),
    ],
    ['p | 0/2 | Evicted | 0 | 5m', show({ phase: 'Failed', reason: 'Evicted' })],
  ])('%s', (expected, shown) => {
    expect(shown).toBe(expected);
  });
  it('has more columns if requested', () => {
    expect(row(pod, created(pod, simple), now, true).slice(5)).toEqual(['<none>', '<none>', '<none>', '<none>']);
  });
});
