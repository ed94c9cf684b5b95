import * as a from '../../src/schema/authoring.js';
import { topLevel } from '../../src/schema/object-meta-schema.js';

export const objectReference = a.struct(
  'io.k8s.api.core.v1.ObjectReference',
  '',
  () =>
    Object.fromEntries(
      ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((n) => [
        n,
        a.omitEmpty(a.string()),
      ]),
    ),
  { mapType: 'atomic' },
);
export const localReference = a.struct(
  'io.k8s.api.core.v1.LocalObjectReference',
  '',
  () => ({ name: a.omitEmpty(a.string(), 1) }),
  { mapType: 'atomic' },
);
export const serviceAccount = a.structSchema(
  topLevel('io.k8s.api.core.v1.ServiceAccount', '', () => ({
    secrets: a.omitEmpty(a.listMap(objectReference, ['name']), 2),
    imagePullSecrets: a.omitEmpty(a.listAtomic(localReference), 3),
    automountServiceAccountToken: a.omitNull(a.boolean(), 4),
  })),
);
export const lease = a.structSchema(
  topLevel('io.k8s.api.coordination.v1.Lease', '', () => ({
    spec: a.always(
      a.struct('io.k8s.api.coordination.v1.LeaseSpec', '', () => ({
        holderIdentity: a.omitNull(a.string(), 1),
        leaseDurationSeconds: a.omitNull(a.int32(), 2),
        acquireTime: a.omitNull(a.microTime(), 3),
      })),
      2,
    ),
  })),
);
export const role = a.structSchema(
  topLevel('io.k8s.api.rbac.v1.Role', '', () => ({
    rules: a.always(
      a.listAtomic(
        a.struct('io.k8s.api.rbac.v1.PolicyRule', '', () => ({
          verbs: a.required(a.listAtomic(a.string()), 1),
          resources: a.omitEmpty(a.listAtomic(a.string()), 3),
        })),
      ),
      2,
    ),
  })),
);
export const secret = a.structSchema(
  topLevel('io.k8s.api.core.v1.Secret', '', () => ({
    immutable: a.omitNull(a.boolean(), 5),
    data: a.omitEmpty(a.map(a.bytes()), 2),
    stringData: a.omitEmpty(a.map(a.string()), 4),
    type: a.omitEmpty(a.string({ typeName: 'v1.SecretType' }), 3),
  })),
);
export const tokenRequest = a.structSchema(
  topLevel('io.k8s.api.authentication.v1.TokenRequest', '', () => ({
    spec: a.required(
      a.struct('io.k8s.api.authentication.v1.TokenRequestSpec', '', () => ({
        audiences: a.required(a.listAtomic(a.string()), 1),
        expirationSeconds: a.omitNull(a.int64(), 4),
      })),
      2,
    ),
    extra: a.omitEmpty(a.map(a.list(a.string()))),
    port: a.omitNull(a.intOrString()),
    cpu: a.omitNull(a.quantity()),
    raw: a.omitNull(a.any({ definition: 'io.k8s.apimachinery.pkg.runtime.RawExtension' })),
  })),
);
