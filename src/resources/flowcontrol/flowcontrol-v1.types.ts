// Made by `npm run api-types` of flowcontrol-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface FlowcontrolV1 {
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

export type FlowDistinguisherMethodType = string;

export type SubjectKind = string;

export type FlowSchemaConditionType = string;

/** How many requests are served at a time. */
export interface PriorityLevelConfiguration extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** How many requests are served at a time. */
  readonly spec: PriorityLevelConfigurationSpec;
  /** What was found about it. */
  readonly status: PriorityLevelConfigurationStatus;
}

/** How many requests are served at a time. */
export interface PriorityLevelConfigurationSpec {
  /** Exempt or Limited. */
  readonly type: PriorityLevelEnablement;
  /** A level with a limit. */
  readonly limited?: LimitedPriorityLevelConfiguration;
  /** A level without limit. */
  readonly exempt?: ExemptPriorityLevelConfiguration;
}

/** A level with a limit. */
export interface LimitedPriorityLevelConfiguration extends Filled<'limitResponse'> {
  /** Its part of what the server can do at a time. */
  readonly nominalConcurrencyShares?: number;
  /** What becomes of requests beyond the limit. */
  readonly limitResponse: LimitResponse;
  /** The part of its share that others may use. */
  readonly lendablePercent?: number;
  /** How much of others it may use, of its own share. */
  readonly borrowingLimitPercent?: number;
}

/** What becomes of requests beyond the limit. */
export interface LimitResponse {
  /** Queue or Reject. */
  readonly type: LimitResponseType;
  /** How they wait. */
  readonly queuing?: QueuingConfiguration;
}

/** How requests wait. */
export interface QueuingConfiguration extends Filled<'queues' | 'handSize' | 'queueLengthLimit'> {
  /** The number of queues. */
  readonly queues: number;
  /** The number of queues that one flow may use. */
  readonly handSize: number;
  /** The number of requests that may wait in one queue. */
  readonly queueLengthLimit: number;
}

/** A level without limit. */
export interface ExemptPriorityLevelConfiguration {
  /** Its part of what the server can do at a time. */
  readonly nominalConcurrencyShares?: number;
  /** The part of that which others may use. */
  readonly lendablePercent?: number;
}

/** What was found about it. */
export interface PriorityLevelConfigurationStatus {
  /** The conditions. */
  readonly conditions?: readonly PriorityLevelConfigurationCondition[];
}

/** A condition of the object. */
export interface PriorityLevelConfigurationCondition extends Filled<'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type?: PriorityLevelConfigurationConditionType;
  /** True, False or Unknown. */
  readonly status?: meta.ConditionStatus;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}

/** Sends requests to a priority level. */
export interface FlowSchema extends Filled<'metadata' | 'spec' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** Which requests, and where they go. */
  readonly spec: FlowSchemaSpec;
  /** What was found about it. */
  readonly status: FlowSchemaStatus;
}

/** Which requests, and where they go. */
export interface FlowSchemaSpec extends Filled<'matchingPrecedence'> {
  /** The level of these requests. */
  readonly priorityLevelConfiguration: PriorityLevelConfigurationReference;
  /** Of several that match, the one with the least number counts. */
  readonly matchingPrecedence: number;
  /** How flows are told apart; none makes one flow of all. */
  readonly distinguisherMethod?: FlowDistinguisherMethod;
  /** The requests that match: one of these. */
  readonly rules?: readonly PolicyRulesWithSubjects[];
}

/** A priority level by its name. */
export interface PriorityLevelConfigurationReference {
  /** Name of the priority level. */
  readonly name: string;
}

/** How flows are told apart. */
export interface FlowDistinguisherMethod {
  /** ByUser or ByNamespace. */
  readonly type: FlowDistinguisherMethodType;
}

/** Who asks for what. */
export interface PolicyRulesWithSubjects {
  /** Who asks: one of these. */
  readonly subjects: readonly Subject[];
  /** Resources that are asked for. */
  readonly resourceRules?: readonly ResourcePolicyRule[];
  /** Paths that are asked for. */
  readonly nonResourceRules?: readonly NonResourcePolicyRule[];
}

/** Who asks. */
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

/** Somebody by name. */
export interface UserSubject {
  /** The name; * means all. */
  readonly name: string;
}

/** Somebody by name. */
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
  /** What is done; * means all. */
  readonly verbs: readonly string[];
  /** Their groups; * means all. */
  readonly apiGroups: readonly string[];
  /** The resources; * means all. */
  readonly resources: readonly string[];
  /** Whether requests outside of namespaces are meant. */
  readonly clusterScope?: boolean;
  /** The namespaces; * means all. */
  readonly namespaces: readonly string[] | null;
}

/** Requests for plain paths. */
export interface NonResourcePolicyRule {
  /** What is done; * means all. */
  readonly verbs: readonly string[];
  /** The paths; * at the end means all below. */
  readonly nonResourceURLs: readonly string[];
}

/** What was found about it. */
export interface FlowSchemaStatus {
  /** The conditions. */
  readonly conditions?: readonly FlowSchemaCondition[];
}

/** A condition of the object. */
export interface FlowSchemaCondition extends Filled<'lastTransitionTime'> {
  /** Type of the condition. */
  readonly type?: FlowSchemaConditionType;
  /** True, False or Unknown. */
  readonly status?: meta.ConditionStatus;
  /** When its status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}
