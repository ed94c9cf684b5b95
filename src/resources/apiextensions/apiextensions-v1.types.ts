// Made by `npm run api-types` of apiextensions-v1.ts.
import type { Filled } from '../../meta/sent-form.js';
import type { JSONSchemaProps } from './json-schema-props.js';
import type * as meta from '../../schema/meta-v1.types.js';

/** The structs of the table, by their names. */
export interface ApiextensionsV1 {
  CustomResourceDefinition: CustomResourceDefinition;
  CustomResourceDefinitionSpec: CustomResourceDefinitionSpec;
  CustomResourceDefinitionNames: CustomResourceDefinitionNames;
  CustomResourceDefinitionVersion: CustomResourceDefinitionVersion;
  CustomResourceValidation: CustomResourceValidation;
  CustomResourceSubresources: CustomResourceSubresources;
  CustomResourceSubresourceStatus: CustomResourceSubresourceStatus;
  CustomResourceSubresourceScale: CustomResourceSubresourceScale;
  CustomResourceColumnDefinition: CustomResourceColumnDefinition;
  SelectableField: SelectableField;
  CustomResourceConversion: CustomResourceConversion;
  WebhookConversion: WebhookConversion;
  WebhookClientConfig: WebhookClientConfig;
  ServiceReference: ServiceReference;
  CustomResourceDefinitionStatus: CustomResourceDefinitionStatus;
  CustomResourceDefinitionCondition: CustomResourceDefinitionCondition;
}

export type ResourceScope = string;

export type ConversionStrategyType = string;

export type CustomResourceDefinitionConditionType = string;

/** A kind of its own. */
export interface CustomResourceDefinition extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The wanted kind. */
  readonly spec: CustomResourceDefinitionSpec;
  /** The observed state. */
  readonly status: CustomResourceDefinitionStatus;
}

/** The wanted kind. */
export interface CustomResourceDefinitionSpec {
  /** The group of the kind. */
  readonly group: string;
  /** Its names. */
  readonly names: CustomResourceDefinitionNames;
  /** Cluster or Namespaced. */
  readonly scope: ResourceScope;
  /** Its versions. */
  readonly versions: readonly CustomResourceDefinitionVersion[];
  /** How versions become each other. */
  readonly conversion?: CustomResourceConversion;
  /** Must be false. */
  readonly preserveUnknownFields?: boolean;
}

/** The names of a kind. */
export interface CustomResourceDefinitionNames {
  /** The name in the URL. */
  readonly plural: string;
  /** Default the kind in lower case. */
  readonly singular?: string;
  /** Other names for people in a hurry. */
  readonly shortNames?: readonly string[];
  /** The name in objects. */
  readonly kind: string;
  /** The kind of lists. Default the kind and List. */
  readonly listKind?: string;
  /** Groups of kinds that it belongs to, as all. */
  readonly categories?: readonly string[];
}

/** A version of a kind. */
export interface CustomResourceDefinitionVersion {
  /** The name of the version, as v1. */
  readonly name: string;
  /** Whether it is served. */
  readonly served: boolean;
  /** Whether objects are stored in it; exactly one is. */
  readonly storage: boolean;
  /** Whether its use is warned of. */
  readonly deprecated?: boolean;
  /** The warning. */
  readonly deprecationWarning?: string;
  /** The schema of its objects. */
  readonly schema?: CustomResourceValidation;
  /** Second routes to its objects. */
  readonly subresources?: CustomResourceSubresources;
  /** Columns of the Table form. Default the age. */
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[];
  /** Fields that selectors may name. */
  readonly selectableFields?: readonly SelectableField[];
}

/** The schema of a version. */
export interface CustomResourceValidation {
  /** The schema of its objects. */
  readonly openAPIV3Schema?: JSONSchemaProps;
}

/** Second routes to an object. */
export interface CustomResourceSubresources {
  /** Sets the status apart. */
  readonly status?: CustomResourceSubresourceStatus;
  /** Shows the object as a Scale. */
  readonly scale?: CustomResourceSubresourceScale;
}

/** Sets the status apart. */
export interface CustomResourceSubresourceStatus {

}

/** Where the numbers of a scale are. */
export interface CustomResourceSubresourceScale {
  /** The wanted number, under spec. */
  readonly specReplicasPath: string;
  /** The observed number, under status. */
  readonly statusReplicasPath: string;
  /** The selector as text, under spec or status. */
  readonly labelSelectorPath?: string;
}

/** A column of the Table form. */
export interface CustomResourceColumnDefinition {
  /** The name of the column. */
  readonly name: string;
  /** integer, number, string, boolean or date. */
  readonly type: string;
  /** The form of the value, for clients. */
  readonly format?: string;
  /** What it shows. */
  readonly description?: string;
  /** 0 is always shown, more only in wide output. */
  readonly priority?: number;
  /** Where the value is. */
  readonly jsonPath: string;
}

/** A field that selectors may name. */
export interface SelectableField {
  /** A simple path. */
  readonly jsonPath: string;
}

/** How versions become each other. */
export interface CustomResourceConversion {
  /** None or Webhook. */
  readonly strategy: ConversionStrategyType;
  /** The webhook that converts. */
  readonly webhook?: WebhookConversion;
}

/** A webhook that converts. */
export interface WebhookConversion {
  /** How it is reached. */
  readonly clientConfig?: WebhookClientConfig;
  /** The versions of ConversionReview it takes. */
  readonly conversionReviewVersions: readonly string[];
}

/** How a webhook is reached. */
export interface WebhookClientConfig {
  /** By a URL. */
  readonly url?: string;
  /** By a service. */
  readonly service?: ServiceReference;
  /** PEM of the authorities that its certificate may be of. */
  readonly caBundle?: string;
}

/** A service. */
export interface ServiceReference {
  /** The namespace of the service. */
  readonly namespace: string;
  /** The name of the service. */
  readonly name: string;
  /** The path of the URL. */
  readonly path?: string;
  /** The port. Default 443. */
  readonly port?: number;
}

/** The observed state. */
export interface CustomResourceDefinitionStatus extends Filled<'conditions' | 'acceptedNames' | 'storedVersions'> {
  /** What is the case. */
  readonly conditions: readonly CustomResourceDefinitionCondition[] | null;
  /** The names it is served under. */
  readonly acceptedNames: CustomResourceDefinitionNames;
  /** Versions that objects may be stored in. */
  readonly storedVersions: readonly string[] | null;
}

/** A condition of a definition. */
export interface CustomResourceDefinitionCondition extends Filled<'lastTransitionTime'> {
  /** What the condition is about. */
  readonly type: CustomResourceDefinitionConditionType;
  /** True, False or Unknown. */
  readonly status: meta.ConditionStatus;
  /** When the status last changed. */
  readonly lastTransitionTime: string | null;
  /** The reason, in one word. */
  readonly reason?: string;
  /** The reason, for people. */
  readonly message?: string;
}
