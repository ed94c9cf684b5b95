import { expect, it } from 'vitest';
import { k8s } from '../../src/meta/dialect.js';
import { deployment } from '../../src/resources/apps/index.js';
import { podTemplateWarnings } from '../../src/resources/core/pod/pod-warnings.js';
import { created } from './steps.js';

const templateOf = (spec: object, annotations: Readonly<Record<string, string>> = {}) =>
  created(deployment, { metadata: { name: 'd' }, spec: { template: { metadata: { annotations }, spec } } }).spec
    .template;
const warnings = (spec: object, annotations?: Readonly<Record<string, string>>) =>
  podTemplateWarnings(templateOf({ containers: [{ name: 'c', image: 'i' }], ...spec }, annotations), 't', k8s);
const ofContainer = (more: object) => warnings({ containers: [{ name: 'c', image: 'i', ...more }] });

it.each<[string, readonly string[], readonly string[]]>([
  ['nothing odd', warnings({}), []],
  [
    'a label of nodes with a newer name',
    warnings({ nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }),
    ['t.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
  ],
  [
    'a spread of no pods',
    warnings({ topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' }] }),
    ['t.spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod'],
  ],
  [
    'an annotation that became a field',
    warnings({}, { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' }),
    [
      't.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
    ],
  ],
  [
    'the field beside its annotation',
    warnings(
      { securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } },
      { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' },
    ),
    [],
  ],
  [
    'a volume that will go',
    warnings({ volumes: [{ name: 'v', gitRepo: { repository: 'r' } }] }),
    ['t.spec.volumes[0].gitRepo: deprecated in v1.11'],
  ],
  [
    'a file in the place of a token',
    warnings({
      volumes: [
        {
          name: 'v',
          projected: {
            sources: [{ serviceAccountToken: { path: 'p' } }, { secret: { items: [{ key: 'k', path: 'p' }] } }],
          },
        },
      ],
    }),
    [], // later releases warn of it
  ],
  [
    'a thousandth of a byte',
    ofContainer({ resources: { limits: { memory: '1500m' } } }),
    ['t.spec.containers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer'],
  ],
  ['one and a half kibibytes', ofContainer({ resources: { limits: { memory: '1.5Ki' } } }), []],
  [
    'a variable that hides another',
    ofContainer({
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
      ],
    }),
    ['t.spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
  ],
  [
    'a variable that builds on another',
    ofContainer({
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '$(A)2' },
      ],
    }),
    [],
  ],
  [
    'a port given twice, and once on the node',
    ofContainer({ ports: [{ containerPort: 1 }, { containerPort: 1 }, { containerPort: 1, hostPort: 2 }] }),
    [
      't.spec.containers[0].ports[1]: duplicate port definition with t.spec.containers[0].ports[0]',
      't.spec.containers[0].ports[2]: overlapping port definition with t.spec.containers[0].ports[0]',
      't.spec.containers[0].ports[2]: overlapping port definition with t.spec.containers[0].ports[1]',
    ],
  ],
  [
    'an address without a port',
    ofContainer({ ports: [{ containerPort: 1, hostIP: '10.0.0.1' }] }),
    [
      't.spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:1 Protocol:TCP HostIP:10.0.0.1}',
    ],
  ],
])('a pod template has the warning: %s', (_, given, wanted) => expect(given).toEqual(wanted));
