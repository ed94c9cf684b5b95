import { fieldTable } from './field-table.js';
import type { MetaV1 } from './meta-v1.types.js';

/** The structs of meta/v1 that kinds and requests share. */
export const metaV1 = /* @__PURE__ */ fieldTable<MetaV1>(
  'io.k8s.apimachinery.pkg.apis.meta.v1',
  {},
  `
ConditionStatus = string
UID = string as types.UID
ManagedFieldsOperationType = string (Apply | Update)
FieldsV1 = object io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1
LabelSelectorOperator = string
DeletionPropagation = string
FieldSelectorOperator = string
RawExtension = any io.k8s.apimachinery.pkg.runtime.RawExtension

ObjectMeta                                                                  The metadata of an object.
  name                         1  string?                                   The name, unique for the kind in its namespace.
  generateName                 2  string?                                   Prefix of a name that the server generates.
  namespace                    3  string?                                   Namespace of the object.
  selfLink                     4  string?                                   Deprecated; not set any more.
  uid                          5  UID?                                      Unique in time and space; set by the server.
  resourceVersion              6  string?                                   Revision of the last write; opaque.
  generation                   7  int64?                                    Counts the changes of the desired state.
  creationTimestamp            8  Time                                      CreationTimestamp is a timestamp of when the object was made; set by the server.
  deletionTimestamp            9  Time*                                     When the deletion is due; set by the server.
  deletionGracePeriodSeconds  10  int64*                                    The grace period of the deletion, in seconds.
  labels                      11  map(string)?                              Keys and values for selectors.
  annotations                 12  map(string)?                              Keys and values for tools.
  ownerReferences             13  []OwnerReference by(uid)? merge key(uid)  Objects that this one belongs to.
  finalizers                  14  []string set? merge                       Names that must be removed before the object is deleted.
  managedFields               17  []ManagedFieldsEntry atomic?              The owned fields of each manager.

OwnerReference atomic             Names an object that this one belongs to.
  apiVersion          5  string!  Group and version of the owner.
  kind                1  string!  Kind of the owner.
  name                3  string!  Name of the owner.
  uid                 4  UID!     Uid of the owner.
  controller          6  bool*    Whether the owner manages this object.
  blockOwnerDeletion  7  bool*    Whether a foreground deletion of the owner waits for this object.

ManagedFieldsEntry                             Fields that one manager owns.
  manager      1  string?                      The manager that owns the fields.
  operation    2  ManagedFieldsOperationType?  Apply or Update.
  apiVersion   3  string?                      Version of the kind that the fields belong to.
  time         4  Time*                        When the set of fields last changed.
  fieldsType   6  string?                      Format of the set: FieldsV1.
  fieldsV1     7  FieldsV1*                    The set of fields.
  subresource  8  string?                      Subresource that the fields were written through.

LabelSelector atomic                                       Selects objects by their labels.
  matchLabels       1  map(string)?                        Labels and their values.
  matchExpressions  2  []LabelSelectorRequirement atomic?  Requirements, all of which must match.

LabelSelectorRequirement               One requirement on labels.
  key       1  string!                 Key of the label.
  operator  2  LabelSelectorOperator!  In, NotIn, Exists or DoesNotExist.
  values    3  []string atomic?        Values to compare with.

DeleteOptions options                          The options of a deletion.
  gracePeriodSeconds  1  int64*                The grace period in seconds; 0 deletes at once.
  preconditions       2  Preconditions*        Conditions for the deletion.
  orphanDependents    3  bool*                 Deprecated, use propagationPolicy: whether dependents are kept.
  propagationPolicy   4  DeletionPropagation*  The treatment of dependents: Orphan, Background or Foreground.
  dryRun              5  []string atomic?      All performs a dry run, which deletes nothing.

Preconditions                  Conditions for the deletion.
  uid              1  UID*     The uid the object must have.
  resourceVersion  2  string*  The revision the object must have.

Condition                                  A condition of the object.
  type                1  string!           Type of the condition.
  status              2  ConditionStatus!  True, False or Unknown.
  observedGeneration  3  int64?            The generation that the condition describes.
  lastTransitionTime  4  Time!             When its status last changed.
  reason              5  string!           The reason, in one word.
  message             6  string!           The reason, for people.

FieldSelectorRequirement               One requirement on fields.
  key       1  string!                 Path of the field.
  operator  2  FieldSelectorOperator!  In, NotIn, Exists or DoesNotExist.
  values    3  []string atomic?        Values to compare with.

Status options                        The result of a request that returns no other object.
  metadata  1  ListMeta               Revision of the server.
  status    2  string?                Success or Failure.
  message   3  string?                The message, for people.
  reason    4  string?                The reason, in one word.
  details   5  StatusDetails* listed  Details of the result.
  code      6  int32?                 The HTTP status.

ListMeta                          The metadata of a list.
  selfLink            1  string?  Deprecated; not set any more.
  resourceVersion     2  string?  Revision the list was read at; opaque.
  continue            3  string?  Token for the next page.
  remainingItemCount  4  int64*   The number of remaining items.

StatusDetails                                  The object and causes of a status.
  name               1  string?                Name of the object in question.
  group              2  string?                Group of the resource in question.
  kind               3  string?                Resource or kind in question.
  uid                6  string?                Uid of the object in question.
  causes             4  []StatusCause atomic?  The causes of the failure.
  retryAfterSeconds  5  int32?                 Seconds to wait before trying again.

StatusCause            One of the causes of a failure.
  reason   1  string?  The problem, in one word.
  message  2  string?  The problem, for people.
  field    3  string?  The field that caused the error.

Patch   A change of an object, in the format of its media type.

WatchEvent                  A change of an object.
  type    1  string!        ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.
  object  2  RawExtension!  The object, or a Status.

APIVersions options                                                   The versions of the core group.
  versions                    1  []string atomic!                     The versions served.
  serverAddressByClientCIDRs  2  []ServerAddressByClientCIDR atomic!  The addresses of the server, by client network.

ServerAddressByClientCIDR    The address of the server for a client network.
  clientCIDR     1  string!  The network of the client.
  serverAddress  2  string!  The address of the server.

APIGroup options                                                      A group and its versions.
  name                        1  string!                              Name of the group.
  versions                    2  []GroupVersionForDiscovery atomic!   The versions served.
  preferredVersion            3  GroupVersionForDiscovery             The preferred version.
  serverAddressByClientCIDRs  4  []ServerAddressByClientCIDR atomic?  The addresses of the server, by client network.

GroupVersionForDiscovery    One version of a group.
  groupVersion  1  string!  The group and the version.
  version       2  string!  The version without the group.

APIGroupList options             The groups that are served.
  groups  1  []APIGroup atomic!  The groups.

APIResourceList options                   The resources of a group version.
  groupVersion  1  string!                The group and the version.
  resources     2  []APIResource atomic!  The resources.

APIResource                                  A resource that is served.
  name                 1  string!            The name in the URL.
  singularName         6  string!            The singular name.
  namespaced           2  bool!              Whether objects are in a namespace.
  group                8  string?            Group of the kind, if it differs from that of the list.
  version              9  string?            Version of the kind, if it differs from that of the list.
  kind                 3  string!            The kind of its objects.
  verbs                4  []string message!  Verbs it supports.
  shortNames           5  []string atomic?   Other names for tools.
  categories           7  []string atomic?   Groups of resources for tools.
  storageVersionHash  10  string?            Changes with the version that objects are stored in; opaque.
`,
);
