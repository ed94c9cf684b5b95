// Made by `npm run api-types` of flowcontrol-v1beta3.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface FlowcontrolV1beta3 {
  PriorityLevelConfiguration: PriorityLevelConfiguration;
  PriorityLevelConfigurationSpec: PriorityLevelConfigurationSpec;
  LimitedPriorityLevelConfiguration: LimitedPriorityLevelConfiguration;
  LimitResponse: LimitResponse;
  QueuingConfiguration: QueuingConfiguration;
  ExemptPriorityLevelConfiguration: ExemptPriorityLevelConfiguration;
  PriorityLevelConfigurationStatus: PriorityLevelConfigurationStatus;
  PriorityLevelConfigurationCondition: PriorityLevelConfigurationCondition;
  FlowSchema: FlowSchema;
  FlowSchemaSpec: FlowSchemaSpec;
  PriorityLevelConfigurationReference: PriorityLevelConfigurationReference;
  FlowDistinguisherMethod: FlowDistinguisherMethod;
  PolicyRulesWithSubjects: PolicyRulesWithSubjects;
  Subject: Subject;
  UserSubject: UserSubject;
  GroupSubject: GroupSubject;
  ServiceAccountSubject: ServiceAccountSubject;
  ResourcePolicyRule: ResourcePolicyRule;
  NonResourcePolicyRule: NonResourcePolicyRule;
  FlowSchemaStatus: FlowSchemaStatus;
  FlowSchemaCondition: FlowSchemaCondition;
}

export type PriorityLevelEnablement = string;

export type LimitResponseType = string;

export type PriorityLevelConfigurationConditionType = string;

export type ConditionStatus = string;

export type FlowDistinguisherMethodType = string;

export type SubjectKind = string;

export type FlowSchemaConditionType = string;

/** Limits the number of concurrent requests. */
export interface PriorityLevelConfiguration extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** Limits the number of concurrent requests. */
  readonly spec: PriorityLevelConfigurationSpec;
  /** The observed state. */
  readonly status: PriorityLevelConfigurationStatus;
}

/** Limits the number of concurrent requests. */
export interface PriorityLevelConfigurationSpec {
  /** Exempt or Limited. */
  readonly type: PriorityLevelEnablement;
  /** A priority level with a limit. */
  readonly limited?: LimitedPriorityLevelConfiguration;
  /** A priority level without a limit. */
  readonly exempt?: ExemptPriorityLevelConfiguration;
}

/** A priority level with a limit. */
export interface LimitedPriorityLevelConfiguration extends Filled<'nominalConcurrencyShares' | 'limitResponse'> {
  /** Its share of the server's concurrency limit; 0 means the default. */
  readonly nominalConcurrencyShares: number;
  /** The treatment of requests beyond the limit. */
  readonly limitResponse: LimitResponse;
  /** The percentage of its share that other levels may borrow. */
  readonly lendablePercent?: number;
  /** The maximum that it may borrow, in percent of its own share. */
  readonly borrowingLimitPercent?: number;
}

/** The treatment of requests beyond the limit. */
export interface LimitResponse {
  /** Queue or Reject. */
  readonly type: LimitResponseType;
  /** How requests are queued. */
  readonly queuing?: QueuingConfiguration;
}

/** How requests are queued. */
export interface QueuingConfiguration extends Filled<'queues' | 'handSize' | 'queueLengthLimit'> {
  /** The number of queues. */
  readonly queues: number;
  /** The number of queues that one flow may use. */
  readonly handSize: number;
  /** The maximum number of requests in one queue. */
  readonly queueLengthLimit: number;
}

/** A priority level without a limit. */
export interface ExemptPriorityLevelConfiguration {
  /** Its share of the server's concurrency limit. */
  readonly nominalConcurrencyShares?: number;
  /** The percentage of its share that other levels may borrow. */
  readonly lendablePercent?: number;
}

/** The observed state. */
export interface PriorityLevelConfigurationStatus {
  /** The conditions. */
  readonly conditions?: readonly PriorityLevelConfigurationCondition[];
}

/** A condition of the object. */
export interface PriorityLevelConfigurationCondition extends Filled<'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type?: PriorityLevelConfigurationConditionType;
  /** True, False or Unknown. */
  readonly status?: ConditionStatus;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}

/** Assigns requests to a priority level. */
export interface FlowSchema extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The requests, and their priority level. */
  readonly spec: FlowSchemaSpec;
  /** The observed state. */
  readonly status: FlowSchemaStatus;
}

/** The requests, and their priority level. */
export interface FlowSchemaSpec extends Filled<'matchingPrecedence'> {
  /** The priority level of these requests. */
  readonly priorityLevelConfiguration: PriorityLevelConfigurationReference;
  /** The flow schema with the lowest value applies if several match. */
  readonly matchingPrecedence: number;
  /** How flows are distinguished; absent means a single flow. */
  readonly distinguisherMethod?: FlowDistinguisherMethod;
  /** The rules, one of which a request must match. */
  readonly rules?: readonly PolicyRulesWithSubjects[];
}

/** A priority level by its name. */
export interface PriorityLevelConfigurationReference {
  /** Name of the priority level. */
  readonly name: string;
}

/** How flows are distinguished. */
export interface FlowDistinguisherMethod {
  /** ByUser or ByNamespace. */
  readonly type: FlowDistinguisherMethodType;
}

/** Subjects and their requests. */
export interface PolicyRulesWithSubjects {
  /** The subjects, one of which must match. */
  readonly subjects: readonly Subject[];
  /** Requests for resources. */
  readonly resourceRules?: readonly ResourcePolicyRule[];
  /** Requests for non-resource paths. */
  readonly nonResourceRules?: readonly NonResourcePolicyRule[];
}

/** A subject. */
export interface Subject {
  /** User, Group or ServiceAccount. */
  readonly kind: SubjectKind;
  /** The user. */
  readonly user?: UserSubject;
  /** The group. */
  readonly group?: GroupSubject;
  /** The service account. */
  readonly serviceAccount?: ServiceAccountSubject;
}

/** A user or group by name. */
export interface UserSubject {
  /** The name; * means all. */
  readonly name: string;
}

/** A user or group by name. */
export interface GroupSubject {
  /** The name; * means all. */
  readonly name: string;
}

/** A service account. */
export interface ServiceAccountSubject {
  /** Its namespace. */
  readonly namespace: string;
  /** Its name; * means all. */
  readonly name: string;
}

/** Requests for resources. */
export interface ResourcePolicyRule extends Filled<'namespaces'> {
  /** The verbs; * means all. */
  readonly verbs: readonly string[];
  /** The API groups; * means all. */
  readonly apiGroups: readonly string[];
  /** The resources; * means all. */
  readonly resources: readonly string[];
  /** Whether requests without a namespace match. */
  readonly clusterScope?: boolean;
  /** The namespaces; * means all. */
  readonly namespaces: readonly string[] | null;
}

/** Requests for plain paths. */
export interface NonResourcePolicyRule {
  /** The verbs; * means all. */
  readonly verbs: readonly string[];
  /** The paths; a final * matches everything below. */
  readonly nonResourceURLs: readonly string[];
}

/** The observed state. */
export interface FlowSchemaStatus {
  /** The conditions. */
  readonly conditions?: readonly FlowSchemaCondition[];
}

/** A condition of the object. */
export interface FlowSchemaCondition extends Filled<'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type?: FlowSchemaConditionType;
  /** True, False or Unknown. */
  readonly status?: ConditionStatus;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}
