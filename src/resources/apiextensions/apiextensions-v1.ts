import { type FieldTable, fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { ApiextensionsV1 } from './apiextensions-v1.types.js';
import { jsonSchemaProps } from './json-schema-props.js';

const table = `
ResourceScope = string
ConversionStrategyType = string
CustomResourceDefinitionConditionType = string

CustomResourceDefinition kind                A kind of its own.
  spec    2  CustomResourceDefinitionSpec!   The wanted kind.
  status  3  CustomResourceDefinitionStatus  The observed state.

CustomResourceDefinitionSpec                                            The wanted kind.
  group                   1  string!                                    The group of the kind.
  names                   3  CustomResourceDefinitionNames!             Its names.
  scope                   4  ResourceScope!                             Cluster or Namespaced.
  versions                7  []CustomResourceDefinitionVersion atomic!  Its versions.
  conversion              9  CustomResourceConversion*                  How versions become each other.
  preserveUnknownFields  10  bool?                                      Must be false.

CustomResourceDefinitionNames      The names of a kind.
  plural      1  string!           The name in the URL.
  singular    2  string?           Default the kind in lower case.
  shortNames  3  []string atomic?  Other names for people in a hurry.
  kind        4  string!           The name in objects.
  listKind    5  string?           The kind of lists. Default the kind and List.
  categories  6  []string atomic?  Groups of kinds that it belongs to, as all.

CustomResourceDefinitionVersion                                          A version of a kind.
  name                      1  string!                                   The name of the version, as v1.
  served                    2  bool!                                     Whether it is served.
  storage                   3  bool!                                     Whether objects are stored in it; exactly one is.
  deprecated                7  bool?                                     Whether its use is warned of.
  deprecationWarning        8  string*                                   The warning.
  schema                    4  CustomResourceValidation*                 The schema of its objects.
  subresources              5  CustomResourceSubresources*               Second routes to its objects.
  additionalPrinterColumns  6  []CustomResourceColumnDefinition atomic?  Columns of the Table form. Default the age.
  selectableFields          9  []SelectableField atomic?                 Fields that selectors may name.

CustomResourceValidation                The schema of a version.
  openAPIV3Schema  1  JSONSchemaProps*  The schema of its objects.

CustomResourceSubresources                     Second routes to an object.
  status  1  CustomResourceSubresourceStatus*  Sets the status apart.
  scale   2  CustomResourceSubresourceScale*   Shows the object as a Scale.

CustomResourceSubresourceStatus  Sets the status apart.

CustomResourceSubresourceScale    Where the numbers of a scale are.
  specReplicasPath    1  string!  The wanted number, under spec.
  statusReplicasPath  2  string!  The observed number, under status.
  labelSelectorPath   3  string*  The selector as text, under spec or status.

CustomResourceColumnDefinition  A column of the Table form.
  name         1  string!  The name of the column.
  type         2  string!  integer, number, string, boolean or date.
  format       3  string?  The form of the value, for clients.
  description  4  string?  What it shows.
  priority     5  int32?   0 is always shown, more only in wide output.
  jsonPath     6  string!  Where the value is.

SelectableField         A field that selectors may name.
  jsonPath  1  string!  A simple path.

CustomResourceConversion                How versions become each other.
  strategy  1  ConversionStrategyType!  None or Webhook.
  webhook   2  WebhookConversion*       The webhook that converts.

WebhookConversion                                    A webhook that converts.
  clientConfig              2  WebhookClientConfig*  How it is reached.
  conversionReviewVersions  3  []string atomic!      The versions of ConversionReview it takes.

WebhookClientConfig               How a webhook is reached.
  url       3  string*            By a URL.
  service   1  ServiceReference*  By a service.
  caBundle  2  bytes?             PEM of the authorities that its certificate may be of.

ServiceReference         A service.
  namespace  1  string!  The namespace of the service.
  name       2  string!  The name of the service.
  path       3  string*  The path of the URL.
  port       4  int32*   The port. Default 443.

CustomResourceDefinitionStatus                                     The observed state.
  conditions      1  []CustomResourceDefinitionCondition by(type)  What is the case.
  acceptedNames   2  CustomResourceDefinitionNames                 The names it is served under.
  storedVersions  3  []string atomic                               Versions that objects may be stored in.

CustomResourceDefinitionCondition                                A condition of a definition.
  type                1  CustomResourceDefinitionConditionType!  What the condition is about.
  status              2  meta.ConditionStatus!                   True, False or Unknown.
  lastTransitionTime  3  Time                                    When the status last changed.
  reason              4  string?                                 The reason, in one word.
  message             5  string?                                 The reason, for people.
`;

/**
 * Returns the structs of apiextensions/v1.
 * @param prefix The prefix of the schema extensions, such as `x-kubernetes-`.
 * @param accepted Other prefixes that are read as well.
 */
export const apiextensionsV1 = (prefix: string, accepted?: readonly string[]): FieldTable<ApiextensionsV1> =>
  fieldTable<ApiextensionsV1>(
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
    { meta: metaV1, JSONSchemaProps: jsonSchemaProps(prefix, accepted) },
    table,
  );
