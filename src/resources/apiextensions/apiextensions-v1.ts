import { type FieldTable, fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { ApiextensionsV1 } from './apiextensions-v1.types.js';
import { jsonSchemaProps } from './json-schema-props.js';

const table = `
ResourceScope = string
ConversionStrategyType = string
CustomResourceDefinitionConditionType = string

CustomResourceDefinition kind                The definition of a custom kind.
  spec    2  CustomResourceDefinitionSpec!   The desired kind.
  status  3  CustomResourceDefinitionStatus  The observed state.

CustomResourceDefinitionSpec                                            The desired kind.
  group                   1  string!                                    The group of the kind.
  names                   3  CustomResourceDefinitionNames!             Its names.
  scope                   4  ResourceScope!                             Cluster or Namespaced.
  versions                7  []CustomResourceDefinitionVersion atomic!  Its versions.
  conversion              9  CustomResourceConversion*                  How objects are converted between versions.
  preserveUnknownFields  10  bool?                                      Must be false.

CustomResourceDefinitionNames      The names of a kind.
  plural      1  string!           The name in the URL.
  singular    2  string?           The singular name; default the kind in lower case.
  shortNames  3  []string atomic?  Short names for use on the command line.
  kind        4  string!           The name in objects.
  listKind    5  string?           The kind of lists; default the kind followed by List.
  categories  6  []string atomic?  Groups of resources that it belongs to, such as all.

CustomResourceDefinitionVersion                                          A version of a kind.
  name                      1  string!                                   The name of the version, such as v1.
  served                    2  bool!                                     Whether it is served.
  storage                   3  bool!                                     Whether objects are stored in this version; true for exactly one.
  deprecated                7  bool?                                     Whether requests for it cause a warning.
  deprecationWarning        8  string*                                   The warning.
  schema                    4  CustomResourceValidation*                 The schema of its objects.
  subresources              5  CustomResourceSubresources*               The subresources of its objects.
  additionalPrinterColumns  6  []CustomResourceColumnDefinition atomic?  Columns of the Table; default the age.
  selectableFields          9  []SelectableField atomic?                 Fields that selectors may name.

CustomResourceValidation                The schema of a version.
  openAPIV3Schema  1  JSONSchemaProps*  The schema of its objects.

CustomResourceSubresources                     The subresources of an object.
  status  1  CustomResourceSubresourceStatus*  Gives the status a route of its own.
  scale   2  CustomResourceSubresourceScale*   Represents the object as a Scale.

CustomResourceSubresourceStatus  Gives the status a route of its own.

CustomResourceSubresourceScale    The paths of the values of a Scale.
  specReplicasPath    1  string!  The path of the desired number, below spec.
  statusReplicasPath  2  string!  The path of the observed number, below status.
  labelSelectorPath   3  string*  The path of the selector as a string, below spec or status.

CustomResourceColumnDefinition  A column of the Table.
  name         1  string!  The name of the column.
  type         2  string!  integer, number, string, boolean or date.
  format       3  string?  The format of the value, for clients.
  description  4  string?  The description of the column.
  priority     5  int32?   0 is always shown, more only in wide output.
  jsonPath     6  string!  The path of the value.

SelectableField         A field that selectors may name.
  jsonPath  1  string!  A simple path.

CustomResourceConversion                How objects are converted between versions.
  strategy  1  ConversionStrategyType!  None or Webhook.
  webhook   2  WebhookConversion*       The webhook that converts.

WebhookConversion                                    A webhook that converts.
  clientConfig              2  WebhookClientConfig*  The address.
  conversionReviewVersions  3  []string atomic!      The supported versions of ConversionReview, the preferred one first.

WebhookClientConfig               The address of a webhook: url or service.
  url       3  string*            The URL, with https.
  service   1  ServiceReference*  The service of the webhook.
  caBundle  2  bytes?             The CA certificates, PEM, that verify its certificate.

ServiceReference         A service.
  namespace  1  string!  The namespace of the service.
  name       2  string!  The name of the service.
  path       3  string*  The path of the URL.
  port       4  int32*   The port. Default 443.

CustomResourceDefinitionStatus                                     The observed state.
  conditions      1  []CustomResourceDefinitionCondition by(type)  The conditions.
  acceptedNames   2  CustomResourceDefinitionNames                 The names under which it is served.
  storedVersions  3  []string atomic                               Versions that objects may be stored in.

CustomResourceDefinitionCondition                                A condition of a definition.
  type                1  CustomResourceDefinitionConditionType!  Type of the condition.
  status              2  meta.ConditionStatus!                   True, False or Unknown.
  lastTransitionTime  3  Time                                    When the status last changed.
  reason              4  string?                                 The reason, in one word.
  message             5  string?                                 The reason, for people.
`;

/**
 * Returns the structs of apiextensions/v1.
 * @param prefix the prefix of the schema extensions, such as `x-kubernetes-`.
 * @param accepted other prefixes that are read as well.
 */
export const apiextensionsV1 = (prefix: string, accepted?: readonly string[]): FieldTable<ApiextensionsV1> =>
  fieldTable<ApiextensionsV1>(
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
    { meta: metaV1, JSONSchemaProps: jsonSchemaProps(prefix, accepted) },
    table,
  );
