import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { ApiserverinternalV1alpha1 } from './apiserverinternal-v1alpha1.types.js';

/** The structs of apiserverinternal/v1alpha1. */
export const apiserverinternalV1alpha1 = /* @__PURE__ */ fieldTable<ApiserverinternalV1alpha1>(
  'io.k8s.api.apiserverinternal.v1alpha1',
  { meta: metaV1 },
  `
StorageVersionConditionType = string
ConditionStatus = string

StorageVersion kind                 The version in which objects of a kind are stored.
  spec    2  StorageVersionSpec!    Empty in this version.
  status  3  StorageVersionStatus!  The reports of the servers.

StorageVersionSpec  Empty in this version.

StorageVersionStatus                                                 The reports of the servers.
  storageVersions        1  []ServerStorageVersion by(apiServerID)?  The report of each server.
  commonEncodingVersion  2  string*                                  The version that all servers write.
  conditions             3  []StorageVersionCondition by(type)?      The conditions.

ServerStorageVersion                   The versions that one server reads and writes.
  apiServerID        1  string?        The server.
  encodingVersion    2  string?        The version it writes.
  decodableVersions  3  []string set?  The versions it reads.
  servedVersions     4  []string set?  The versions it serves.

StorageVersionCondition                                A condition of the version.
  type                1  StorageVersionConditionType!  Type of the condition.
  status              2  ConditionStatus!              True, False or Unknown.
  observedGeneration  3  int64?                        The generation that the condition describes.
  lastTransitionTime  4  Time!                         When its status last changed.
  reason              5  string!                       The reason, in one word.
  message             6  string!                       The reason, for people.
`,
);
