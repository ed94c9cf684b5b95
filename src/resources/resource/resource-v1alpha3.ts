import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import { coreV1 } from '../core/core-v1.js';
import type { ResourceV1alpha3 } from './resource-v1alpha3.types.js';

/** The structs of resource/v1alpha3. */
export const resourceV1alpha3 = /* @__PURE__ */ fieldTable<ResourceV1alpha3>(
  'io.k8s.api.resource.v1alpha3',
  { core: coreV1, meta: metaV1 },
  `
DeviceAllocationMode = string
FullyQualifiedName = string
AllocationConfigSource = string
DeviceAttributes = map(DeviceAttribute) as map[v1alpha3.QualifiedName]v1alpha3.DeviceAttribute
DeviceCapacity = map(Quantity) as map[v1alpha3.QualifiedName]resource.Quantity

DeviceClass kind             A class of devices.
  spec  2  DeviceClassSpec!  The devices and their configuration.

DeviceClassSpec                                         The devices and their configuration.
  selectors      1  []DeviceSelector atomic?            The requirements, all of which must be met.
  config         2  []DeviceClassConfiguration atomic?  Parameters for drivers.
  suitableNodes  3  core.NodeSelector*                  Nodes that may have these devices.

DeviceSelector                A selector for devices.
  cel  1  CELDeviceSelector*  An expression.

CELDeviceSelector         A selector that is an expression.
  expression  1  string!  The expression, with the variable 'device'.

DeviceClassConfiguration                   Parameters for drivers.
  opaque  1.1  OpaqueDeviceConfiguration*  Parameters for a driver.

OpaqueDeviceConfiguration            Parameters for a driver.
  driver      1  string!             The driver.
  parameters  2  meta.RawExtension!  The parameters.

ResourceClaim kind                A claim of devices.
  spec    2  ResourceClaimSpec!   The requested devices; immutable.
  status  3  ResourceClaimStatus  The allocated devices.

ResourceClaimSpec             The requested devices.
  devices     1  DeviceClaim  The requested devices.
  controller  2  string?      The driver whose controller allocates.

DeviceClaim                                           The requested devices.
  requests     1  []DeviceRequest atomic?             The requests.
  constraints  2  []DeviceConstraint atomic?          Constraints on all devices.
  config       3  []DeviceClaimConfiguration atomic?  Parameters for drivers.

DeviceRequest                                   One request for devices.
  name             1  string!                   Its name.
  deviceClassName  2  string!                   The class of the devices.
  selectors        3  []DeviceSelector atomic?  The requirements, all of which must be met.
  allocationMode   4  DeviceAllocationMode?     ExactCount or All.
  count            5  int64?                    The number of devices.
  adminAccess      6  bool?                     Whether it grants administrative access to devices in use.

DeviceConstraint                          A common property of several devices.
  requests        1  []string atomic?     Names of requests; default all.
  matchAttribute  2  FullyQualifiedName*  The attribute that must have the same value.

DeviceClaimConfiguration                     Parameters for drivers.
  requests    1  []string atomic?            Names of requests; default all.
  opaque    2.1  OpaqueDeviceConfiguration*  Parameters for a driver.

ResourceClaimStatus                                                       The allocated devices.
  allocation             1  AllocationResult*                             The allocated devices, and their nodes.
  reservedFor            2  []ResourceClaimConsumerReference by(uid)? merge key(uid)  The users of the claim.
  deallocationRequested  3  bool?                                         Whether the devices must be deallocated.

AllocationResult                           The allocated devices, and their nodes.
  devices       1  DeviceAllocationResult  The allocated devices.
  nodeSelector  3  core.NodeSelector*      The nodes of the devices.
  controller    4  string?                 The driver whose controller allocated the devices.

DeviceAllocationResult                                 The allocated devices.
  results  1  []DeviceRequestAllocationResult atomic?  The devices.
  config   2  []DeviceAllocationConfiguration atomic?  Parameters for drivers.

DeviceRequestAllocationResult  An allocated device.
  request  1  string!  The request.
  driver   2  string!  The driver.
  pool     3  string!  The pool.
  device   4  string!  The device.

DeviceAllocationConfiguration                Parameters for drivers.
  source      1  AllocationConfigSource!     FromClass or FromClaim.
  requests    2  []string atomic?            Names of requests; default all.
  opaque    3.1  OpaqueDeviceConfiguration*  Parameters for a driver.

ResourceClaimConsumerReference  A user of the claim.
  apiGroup  1  string?    Its group.
  resource  3  string!    Its resource.
  name      4  string!    Its name.
  uid       5  meta.UID!  Its uid.

ResourceClaimTemplate kind             A template of claims for pods.
  spec  2  ResourceClaimTemplateSpec!  The template of the claims; immutable.

ResourceClaimTemplateSpec          The template of the claims.
  metadata  1  meta.ObjectMeta     Labels and annotations of the claims.
  spec      2  ResourceClaimSpec!  The requested devices.

PodSchedulingContext kind                Coordinates the scheduling of a pod with claims.
  spec    2  PodSchedulingContextSpec!   The possible nodes of the pod.
  status  3  PodSchedulingContextStatus  The unsuitable nodes of the pod.

PodSchedulingContextSpec               The possible nodes of the pod.
  selectedNode    1  string?           The selected node.
  potentialNodes  2  []string atomic?  The possible nodes.

PodSchedulingContextStatus                                      The unsuitable nodes of the pod.
  resourceClaims  1  []ResourceClaimSchedulingStatus by(name)?  The unsuitable nodes, by claim.

ResourceClaimSchedulingStatus           The unsuitable nodes of a claim.
  name             1  string!           The claim, as the pod names it.
  unsuitableNodes  2  []string atomic?  The unsuitable nodes.

ResourceSlice kind             Devices of one driver in one pool.
  spec  2  ResourceSliceSpec!  Devices of one driver.

ResourceSliceSpec                      Devices of one driver.
  driver        1  string!             The driver; immutable.
  pool          2  ResourcePool!       The pool of the devices.
  nodeName      3  string?             The node of the devices; immutable.
  nodeSelector  4  core.NodeSelector*  The nodes with access to the devices.
  allNodes      5  bool?               Whether all nodes have access to the devices.
  devices       6  []Device atomic?    The devices.

ResourcePool                      The pool of the devices.
  name                1  string!  Its name.
  generation          2  int64!   The generation of the pool.
  resourceSliceCount  3  int64!   The number of slices of the pool.

Device                    One device.
  name   1  string!       Its name.
  basic  2  BasicDevice*  The properties of the device.

BasicDevice                         The properties of the device.
  attributes  1  DeviceAttributes?  Its attributes.
  capacity    2  DeviceCapacity?    The capacity of the device.

DeviceAttribute        One value.
  int      2  int64*   A number.
  bool     3  bool*    A boolean.
  string   4  string*  A string.
  version  5  string*  A semantic version.
`,
);
