// Made by `npm run api-types` of apiregistration-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface ApiregistrationV1 {
  APIService: APIService;
  APIServiceSpec: APIServiceSpec;
  ServiceReference: ServiceReference;
  APIServiceStatus: APIServiceStatus;
  APIServiceCondition: APIServiceCondition;
}

export type APIServiceConditionType = string;

/** A group version that is served. */
export interface APIService extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The group version, and the server that serves it. */
  readonly spec: APIServiceSpec;
  /** Whether the server is available. */
  readonly status: APIServiceStatus;
}

/** A group version, and the server that serves it. */
export interface APIServiceSpec {
  /** The service of that server; absent if this server serves it. */
  readonly service?: ServiceReference;
  /** The group. */
  readonly group?: string;
  /** The version. */
  readonly version?: string;
  /** Whether the certificate of that server is not verified. */
  readonly insecureSkipTLSVerify?: boolean;
  /** The CA certificates, PEM, that verify its certificate; default the system's. */
  readonly caBundle?: string;
  /** The minimum priority of the group, up to 20000; the highest is listed first. */
  readonly groupPriorityMinimum: number;
  /** The priority of the version in its group, up to 1000; the highest is listed first. */
  readonly versionPriority: number;
}

/** A service. */
export interface ServiceReference {
  /** The namespace of the service. */
  readonly namespace?: string;
  /** The name of the service. */
  readonly name?: string;
  /** The port, 1 to 65535; default 443. */
  readonly port?: number;
}

/** Whether the server is available. */
export interface APIServiceStatus {
  /** The conditions: Available. */
  readonly conditions?: readonly APIServiceCondition[];
}

/** A condition of the controller. */
export interface APIServiceCondition extends Filled<'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type: APIServiceConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}
