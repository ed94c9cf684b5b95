/**
 * `orch-apiserver/plugins`: the building blocks for kinds and plug-ins of your own: definitions, strategies, schemas, selectors, metrics.
 */
export { dialectOf, domainName, groupOf, type Rulings } from '../meta/dialect.js';
export type { FeatureGate, FeatureGates } from '../meta/features/gates.js';
export type { ByteChannel } from '../meta/fetch.js';
export { type FieldErrorType, type Printed, printed } from '../meta/field-error.js';
export type { NameRule } from '../meta/names.js';
export type { Query } from '../meta/query.js';
export type {
  Distribution,
  LabelValues,
  MetricFamily,
  MetricStability,
  Metrics,
  ReadSeries,
} from '../metrics/metrics.js';
export type { AccessControl } from '../registry/access-control.js';
export type { KnownKinds, OtherResource, RequestContext } from '../registry/request-context.js';
export type {
  AnsweringKind,
  Column,
  ComputedKind,
  Converter,
  CreateSubresource,
  CreateSubresourceCall,
  DeclaredObject,
  DeclaredResourceInput,
  Deprecation,
  FieldReader,
  ObjectNameRule,
  ObjectSubresource,
  ObjectWith,
  PartSubresource,
  RelayAnswer,
  RelayCall,
  RelayDestination,
  RelayParameter,
  RelaySubresource,
  RelayText,
  ResourceDefinitionInput,
  RowCondition,
  StorageForm,
  StoredAs,
  Subresource,
  Verb,
  VirtualCall,
  VirtualKind,
  ZodSchema,
} from '../registry/resource-definition.js';
export type { Allocation, Claim, Draft, Strategy, StrategyContext } from '../registry/strategy.js';
export type { WriteFence } from '../registry/writes/write-fence.js';
export { openApiToSchema } from '../schema/openapi-to-schema.js';
export type { ObjectSchema, Schema } from '../schema/schema.js';
export { type FieldRequirement, type FieldSelector, parseFieldSelector } from '../selectors/field-selector.js';
export type { LabelOperator, LabelRequirement, Labels } from '../selectors/label-requirement.js';
export { type LabelSelector, parseLabelSelector } from '../selectors/label-selector.js';
export {
  type LabelSelectorExpression,
  type LabelSelectorObject,
  labelSelectorOf,
} from '../selectors/label-selector-object.js';
