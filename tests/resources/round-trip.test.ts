import { describe, expect, it } from 'vitest';
import { lease } from '../../src/resources/coordination/index.js';
import { configMap, namespace, secret, serviceAccount } from '../../src/resources/core/index.js';
import { clusterRole, clusterRoleBinding, role, roleBinding } from '../../src/resources/rbac/index.js';
import { decodeTyped } from '../../src/schema/decode.js';
import { hasSharedData, readShared } from '../support/shared-data.js';

describe.skipIf(!hasSharedData)('objects with every field set (skipped where the samples are absent)', () => {
  it.each([
    ['core.v1.Namespace', namespace],
    ['core.v1.ConfigMap', configMap],
    ['core.v1.Secret', secret],
    ['core.v1.ServiceAccount', serviceAccount],
    ['coordination.k8s.io.v1.Lease', lease],
    ['rbac.authorization.k8s.io.v1.Role', role],
    ['rbac.authorization.k8s.io.v1.ClusterRole', clusterRole],
    ['rbac.authorization.k8s.io.v1.RoleBinding', roleBinding],
    ['rbac.authorization.k8s.io.v1.ClusterRoleBinding', clusterRoleBinding],
  ])('%s is decoded and encoded unchanged, in wire order', (file, { schema }) => {
    const sample: unknown = readShared(`data/roundtrip/release-1.31/${file}.json`);
    const { value, unknownFields } = decodeTyped(schema, sample);
    expect(unknownFields).toEqual([]);
    expect(JSON.stringify(value, null, 1)).toBe(JSON.stringify(sample, null, 1));
  });
});
