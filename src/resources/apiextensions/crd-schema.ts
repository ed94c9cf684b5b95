import {
  always,
  bytes,
  listAtomic,
  listMap,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
  time,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { count, flag, text } from '../fragments/core-struct.js';
import { extensionsName, jsonSchemaProps } from './json-schema-props.js';

const names = struct(extensionsName('CustomResourceDefinitionNames'), 'The names of a kind.', () => ({
  plural: required(text, 1, 'The name in the URL.'),
  singular: omitEmpty(text, 2, 'Default the kind in lower case.'),
  shortNames: omitEmpty(listAtomic(text), 3, 'Other names for people in a hurry.'),
  kind: required(text, 4, 'The name in objects.'),
  listKind: omitEmpty(text, 5, 'The kind of lists. Default the kind and List.'),
  categories: omitEmpty(listAtomic(text), 6, 'Groups of kinds that it belongs to, as all.'),
}));
export type CrdNames = OutputOf<typeof names>;

const column = struct(extensionsName('CustomResourceColumnDefinition'), 'A column of the Table form.', () => ({
  name: required(text, 1, 'The name of the column.'),
  type: required(text, 2, 'integer, number, string, boolean or date.'),
  format: omitEmpty(text, 3, 'The form of the value, for clients.'),
  description: omitEmpty(text, 4, 'What it shows.'),
  priority: omitEmpty(count, 5, '0 is always shown, more only in wide output.'),
  jsonPath: required(text, 6, 'Where the value is.'),
}));
export type CrdColumn = OutputOf<typeof column>;

const scale = struct(extensionsName('CustomResourceSubresourceScale'), 'Where the numbers of a scale are.', () => ({
  specReplicasPath: required(text, 1, 'The wanted number, under spec.'),
  statusReplicasPath: required(text, 2, 'The observed number, under status.'),
  labelSelectorPath: omitNull(text, 3, 'The selector as text, under spec or status.'),
}));
export type CrdScale = OutputOf<typeof scale>;

const subresources = struct(extensionsName('CustomResourceSubresources'), 'Second routes to an object.', () => ({
  status: omitNull(
    struct(extensionsName('CustomResourceSubresourceStatus'), 'Sets the status apart.', () => ({})),
    1,
    'Sets the status apart.',
  ),
  scale: omitNull(scale, 2, 'Shows the object as a Scale.'),
}));

const selectableField = struct(extensionsName('SelectableField'), 'A field that selectors may name.', () => ({
  jsonPath: required(text, 1, 'A simple path.'),
}));

const serviceReference = struct(extensionsName('ServiceReference'), 'A service.', () => ({
  namespace: required(text, 1, 'The namespace of the service.'),
  name: required(text, 2, 'The name of the service.'),
  path: omitNull(text, 3, 'The path of the URL.'),
  port: omitNull(count, 4, 'The port. Default 443.'),
}));
const webhookClientConfig = struct(extensionsName('WebhookClientConfig'), 'How a webhook is reached.', () => ({
  service: omitNull(serviceReference, 1, 'By a service.'),
  caBundle: omitEmpty(bytes(), 2, 'PEM of the authorities that its certificate may be of.'),
  url: omitNull(text, 3, 'By a URL.'),
}));
const conversion = struct(extensionsName('CustomResourceConversion'), 'How versions become each other.', () => ({
  strategy: required(string({ typeName: 'v1.ConversionStrategyType' }), 1, 'None or Webhook.'),
  webhook: omitNull(
    struct(extensionsName('WebhookConversion'), 'A webhook that converts.', () => ({
      clientConfig: omitNull(webhookClientConfig, 2, 'How it is reached.'),
      conversionReviewVersions: required(listAtomic(text), 3, 'The versions of ConversionReview it takes.'),
    })),
    2,
    'The webhook that converts.',
  ),
}));
export type CrdConversion = OutputOf<typeof conversion>;

const condition = struct(extensionsName('CustomResourceDefinitionCondition'), 'A condition of a definition.', () => ({
  type: required(string({ typeName: 'v1.CustomResourceDefinitionConditionType' }), 1, 'What the condition is about.'),
  status: required(string({ typeName: 'v1.ConditionStatus' }), 2, 'True, False or Unknown.'),
  lastTransitionTime: always(time(), 3, 'When the status last changed.'),
  reason: omitEmpty(text, 4, 'The reason, in one word.'),
  message: omitEmpty(text, 5, 'The reason, for people.'),
}));
export type CrdCondition = OutputOf<typeof condition>;

const status = struct(extensionsName('CustomResourceDefinitionStatus'), 'The observed state.', () => ({
  conditions: always(listMap(condition, ['type']), 1, 'What is the case.'),
  acceptedNames: always(names, 2, 'The names it is served under.'),
  storedVersions: always(listAtomic(text), 3, 'Versions that objects may be stored in.'),
}));

/** The schema of CustomResourceDefinition, with the extensions of schemas by a prefix; others of `accepted` are read as well. */
/* @__NO_SIDE_EFFECTS__ */
export function crdSchema(prefix: string, accepted?: readonly string[]) {
  const schemaProps = jsonSchemaProps(prefix, accepted);
  const version = struct(extensionsName('CustomResourceDefinitionVersion'), 'A version of a kind.', () => ({
    name: required(text, 1, 'The name of the version, as v1.'),
    served: required(flag, 2, 'Whether it is served.'),
    storage: required(flag, 3, 'Whether objects are stored in it; exactly one is.'),
    schema: omitNull(
      struct(extensionsName('CustomResourceValidation'), 'The schema of a version.', () => ({
        openAPIV3Schema: omitNull(schemaProps, 1, 'The schema of its objects.'),
      })),
      4,
      'The schema of its objects.',
    ),
    subresources: omitNull(subresources, 5, 'Second routes to its objects.'),
    additionalPrinterColumns: omitEmpty(listAtomic(column), 6, 'Columns of the Table form. Default the age.'),
    deprecated: omitEmpty(flag, 7, 'Whether its use is warned of.'),
    deprecationWarning: omitNull(text, 8, 'The warning.'),
    selectableFields: omitEmpty(listAtomic(selectableField), 9, 'Fields that selectors may name.'),
  }));
  const spec = struct(extensionsName('CustomResourceDefinitionSpec'), 'The wanted kind.', () => ({
    group: required(text, 1, 'The group of the kind.'),
    names: required(names, 3, 'Its names.'),
    scope: required(string({ typeName: 'v1.ResourceScope' }), 4, 'Cluster or Namespaced.'),
    versions: required(listAtomic(version), 7, 'Its versions.'),
    conversion: omitNull(conversion, 9, 'How versions become each other.'),
    preserveUnknownFields: omitEmpty(flag, 10, 'Must be false.'),
  }));
  return topLevel(extensionsName('CustomResourceDefinition'), 'A kind of its own.', () => ({
    spec: required(spec, 2, 'The wanted kind.'),
    status: always(status, 3, 'The observed state.'),
  }));
}

/** A kind that the server serves while the object is there. */
export type CustomResourceDefinition = OutputOf<ReturnType<typeof crdSchema>>;
export type CrdSpec = CustomResourceDefinition['spec'];
export type CrdVersion = CrdSpec['versions'][number];
