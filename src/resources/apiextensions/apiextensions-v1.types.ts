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

/** The definition of a custom kind. */
export interface CustomResourceDefinition extends Filled<'metadata' | 'status'> {
  /** Name of the kind. */
  readonly kind: string;
  /** Group and version of the kind. */
  readonly apiVersion: string;
  /** Name, labels, and what the server knows of the object. */
  readonly metadata: meta.ObjectMeta;
  /** The desired kind. */
  readonly spec: CustomResourceDefinitionSpec;
  /** The observed state. */
  readonly status: CustomResourceDefinitionStatus;
}

/** The desired kind. */
export interface CustomResourceDefinitionSpec {
  /** The group of the kind. */
  readonly group: string;
  /** Its names. */
  readonly names: CustomResourceDefinitionNames;
  /** Cluster or Namespaced. */
  readonly scope: ResourceScope;
  /** Its versions. */
  readonly versions: readonly CustomResourceDefinitionVersion[];
  /** How objects are converted between versions. */
  readonly conversion?: CustomResourceConversion;
  /** Must be false. */
  readonly preserveUnknownFields?: boolean;
}

/** The names of a kind. */
export interface CustomResourceDefinitionNames {
  /** The name in the URL. */
  readonly plural: string;
  /** The singular name; default the kind in lower case. */
  readonly singular?: string;
  /** Short names for use on the command line. */
  readonly shortNames?: readonly string[];
  /** The name in objects. */
  readonly kind: string;
  /** The kind of lists; default the kind followed by List. */
  readonly listKind?: string;
  /** Groups of resources that it belongs to, such as all. */
  readonly categories?: readonly string[];
}

/** A version of a kind. */
export interface CustomResourceDefinitionVersion {
  /** The name of the version, such as v1. */
  readonly name: string;
  /** Whether it is served. */
  readonly served: boolean;
  /** Whether objects are stored in this version; true for exactly one. */
  readonly storage: boolean;
  /** Whether requests for it cause a warning. */
  readonly deprecated?: boolean;
  /** The warning. */
  readonly deprecationWarning?: string;
  /** The schema of its objects. */
  readonly schema?: CustomResourceValidation;
  /** The subresources of its objects. */
  readonly subresources?: CustomResourceSubresources;
  /** Columns of the Table; default the age. */
  readonly additionalPrinterColumns?: readonly CustomResourceColumnDefinition[];
  /** Fields that selectors may name. */
  readonly selectableFields?: readonly SelectableField[];
}

/** The schema of a version. */
export interface CustomResourceValidation {
  /** The schema of its objects. */
  readonly openAPIV3Schema?: JSONSchemaProps;
}

/** The subresources of an object. */
export interface CustomResourceSubresources {
  /** Gives the status a route of its own. */
  readonly status?: CustomResourceSubresourceStatus;
  /** Represents the object as a Scale. */
  readonly scale?: CustomResourceSubresourceScale;
}

/** Gives the status a route of its own. */
export interface CustomResourceSubresourceStatus {

}

/** The paths of the values of a Scale. */
export interface CustomResourceSubresourceScale {
  /** The path of the desired number, below spec. */
  readonly specReplicasPath: string;
  /** The path of the observed number, below status. */
  readonly statusReplicasPath: string;
  /** The path of the selector as a string, below spec or status. */
  readonly labelSelectorPath?: string;
}

/** A column of the Table. */
export interface CustomResourceColumnDefinition {
  /** The name of the column. */
  readonly name: string;
  /** integer, number, string, boolean or date. */
  readonly type: string;
  /** The format of the value, for clients. */
  readonly format?: string;
  /** The description of the column. */
  readonly description?: string;
  /** 0 is always shown, more only in wide output. */
  readonly priority?: number;
  /** The path of the value. */
  readonly jsonPath: string;
}

/** A field that selectors may name. */
export interface SelectableField {
  /** A simple path. */
  readonly jsonPath: string;
}

/** How objects are converted between versions. */
export interface CustomResourceConversion {
  /** None or Webhook. */
  readonly strategy: ConversionStrategyType;
  /** The webhook that converts. */
  readonly webhook?: WebhookConversion;
}

/** A webhook that converts. */
export interface WebhookConversion {
  /** The address. */
  readonly clientConfig?: WebhookClientConfig;
  /** The supported versions of ConversionReview, the preferred one first. */
  readonly conversionReviewVersions: readonly string[];
}

/** The address of a webhook: url or service. */
export interface WebhookClientConfig {
  /** The URL, with https. */
  readonly url?: string;
  /** The service of the webhook. */
  readonly service?: ServiceReference;
  /** The CA certificates, PEM, that verify its certificate. */
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
  /** The conditions. */
  readonly conditions: readonly CustomResourceDefinitionCondition[] | null;
  /** The names under which it is served. */
  readonly acceptedNames: CustomResourceDefinitionNames;
  /** Versions that objects may be stored in. */
  readonly storedVersions: readonly string[] | null;
}

/** A condition of a definition. */
export interface CustomResourceDefinitionCondition extends Filled<'lastTransitionTime'> {
  /** Type of the condition. */
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
