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
  ['nothing', warnings({}), []],
  [
    'a deprecated label in nodeSelector',
    warnings({ nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }),
    ['t.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
  ],
  [
    'a topology spread constraint that matches no pods',
    warnings({ topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'DoNotSchedule' }] }),
    ['t.spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod'],
  ],
  [
    'an annotation that a field replaces',
    warnings({}, { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' }),
    [
      't.metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
    ],
  ],
  [
    'no annotation beside its field',
    warnings(
      { securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } },
      { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' },
    ),
    [],
  ],
  [
    'a deprecated type of volume',
    warnings({ volumes: [{ name: 'v', gitRepo: { repository: 'r' } }] }),
    ['t.spec.volumes[0].gitRepo: deprecated in v1.11'],
  ],
  [
    'no file in the place of a token',
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
    'a fraction of a byte',
    ofContainer({ resources: { limits: { memory: '1500m' } } }),
    ['t.spec.containers[0].resources.limits[memory]: fractional byte value "1500m" is invalid, must be an integer'],
  ],
  ['no fraction that is whole in bytes', ofContainer({ resources: { limits: { memory: '1.5Ki' } } }), []],
  [
    'a variable that is set twice',
    ofContainer({
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
      ],
    }),
    ['t.spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
  ],
  [
    'no variable that builds on its previous value',
    ofContainer({
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '$(A)2' },
      ],
    }),
    [],
  ],
  [
    'duplicate and overlapping ports',
    ofContainer({ ports: [{ containerPort: 1 }, { containerPort: 1 }, { containerPort: 1, hostPort: 2 }] }),
    [
      't.spec.containers[0].ports[1]: duplicate port definition with t.spec.containers[0].ports[0]',
      't.spec.containers[0].ports[2]: overlapping port definition with t.spec.containers[0].ports[0]',
      't.spec.containers[0].ports[2]: overlapping port definition with t.spec.containers[0].ports[1]',
    ],
  ],
  [
    'hostIP without hostPort',
    ofContainer({ ports: [{ containerPort: 1, hostIP: '10.0.0.1' }] }),
    [
      't.spec.containers[0].ports[0]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:1 Protocol:TCP HostIP:10.0.0.1}',
    ],
  ],
])('the warnings about a pod template report %s', (_, given, wanted) => expect(given).toEqual(wanted));
