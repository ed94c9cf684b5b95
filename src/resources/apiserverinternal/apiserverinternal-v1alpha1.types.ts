// Made by `npm run api-types` of apiserverinternal-v1alpha1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface ApiserverinternalV1alpha1 {
  StorageVersion: StorageVersion;
  StorageVersionSpec: StorageVersionSpec;
  StorageVersionStatus: StorageVersionStatus;
  ServerStorageVersion: ServerStorageVersion;
  StorageVersionCondition: StorageVersionCondition;
}

export type StorageVersionConditionType = string;

export type ConditionStatus = string;

/** The version in which objects of a kind are stored. */
export interface StorageVersion extends Filled<'metadata'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** Empty in this version. */
  readonly spec: StorageVersionSpec;
  /** The reports of the servers. */
  readonly status: StorageVersionStatus;
}

/** Empty in this version. */
export interface StorageVersionSpec {

}

/** The reports of the servers. */
export interface StorageVersionStatus {
  /** The report of each server. */
  readonly storageVersions?: readonly ServerStorageVersion[];
  /** The version that all servers write. */
  readonly commonEncodingVersion?: string;
  /** The conditions. */
  readonly conditions?: readonly StorageVersionCondition[];
}

/** The versions that one server reads and writes. */
export interface ServerStorageVersion {
  /** The server. */
  readonly apiServerID?: string;
  /** The version it writes. */
  readonly encodingVersion?: string;
  /** The versions it reads. */
  readonly decodableVersions?: readonly string[];
  /** The versions it serves. */
  readonly servedVersions?: readonly string[];
}

/** A condition of the version. */
export interface StorageVersionCondition {
  /** Type of the condition. */
  readonly type: StorageVersionConditionType;
  /** True, False or Unknown. */
  readonly status: ConditionStatus;
  /** The generation that the condition describes. */
  readonly observedGeneration?: number;
  /** When its status last changed. */
  readonly lastTransitionTime: string;
  /** The reason, in one word. */
  readonly reason: string;
  /** The reason, for people. */
  readonly message: string;
}
