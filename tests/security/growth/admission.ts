import { k8s } from '../../../src/meta/dialect.js';
import { featureGates } from '../../../src/meta/features/feature-gates.js';
import { forbiddenNodeLabels } from '../../../src/plugins/nodes/node-restriction.js';
import { unlistedSecret } from '../../../src/plugins/service-accounts/service-account-admission.js';
import { validatePodStatusUpdate } from '../../../src/resources/core/pod/validation/pod-status-validation.js';
import { type GrowthRow, numbers } from './measure.js';

const meta = { apiVersion: 'v1', kind: 'Pod' };

export const rows: readonly GrowthRow[] = [
  {
    name: 'labels of a node',
    n: 5_000,
    prepare: (n) => {
      const labels = (value: string) => Object.fromEntries(numbers(n).map((i) => [`k8s.io/l${i}`, value]));
      const [next, old] = [labels('a'), labels('b')];
      return () => forbiddenNodeLabels(k8s, next, old);
    },
  },
  {
    name: 'secrets of a pod against those of its account',
    n: 10_000,
    prepare: (n) => {
      const secrets = numbers(n).map((i) => ({ name: `s${i}` }));
      const account = { ...meta, metadata: { name: 'a' }, secrets, imagePullSecrets: secrets };
      const envFrom = secrets.map((secretRef) => ({ secretRef }));
      const volumes = secrets.map(({ name }) => ({ name, secret: { secretName: name } }));
      const pod = { ...meta, metadata: {}, spec: { volumes, containers: [{ envFrom }], imagePullSecrets: secrets } };
      return () => unlistedSecret(pod as never, account as never);
    },
  },
  {
    name: 'statuses of a pod',
    n: 5_000,
    prepare: (n) => {
      const pod = (state: object) => ({
        ...meta,
        metadata: { annotations: Object.fromEntries(numbers(n).map((i) => [`a${i}`, JSON.stringify(state)])) },
        spec: { restartPolicy: 'Never', resourceClaims: numbers(n).map((i) => ({ name: `c${i}` })) },
        status: {
          containerStatuses: numbers(n).map((i) => ({ name: `c${i}`, state })),
          resourceClaimStatuses: numbers(n).map((i) => ({ name: `c${i}`, resourceClaimName: `r${i}` })),
        },
      });
      const [next, old] = [pod({ running: {} }), pod({ terminated: { exitCode: 0 } })] as never[];
      return () =>
        validatePodStatusUpdate(next as never, old as never, {
          dialect: k8s,
          allowPrivileged: false,
          gates: featureGates(),
        });
    },
  },
];
