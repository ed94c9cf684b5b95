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
  spec  2  DeviceClassSpec!  Which devices, and how they are set up.

DeviceClassSpec                                         Which devices, and how they are set up.
  selectors      1  []DeviceSelector atomic?            Requirements that all must hold.
  config         2  []DeviceClassConfiguration atomic?  Parameters for drivers.
  suitableNodes  3  core.NodeSelector*                  Nodes that may have such devices.

DeviceSelector                Which devices.
  cel  1  CELDeviceSelector*  An expression.

CELDeviceSelector         A selector that is an expression.
  expression  1  string!  The expression, about 'device'.

DeviceClassConfiguration                   Parameters for drivers.
  opaque  1.1  OpaqueDeviceConfiguration*  Parameters for a driver.

OpaqueDeviceConfiguration            Parameters for a driver.
  driver      1  string!             The driver.
  parameters  2  meta.RawExtension!  The parameters.

ResourceClaim kind                A claim of devices.
  spec    2  ResourceClaimSpec!   What is wanted; fixed.
  status  3  ResourceClaimStatus  What was given.

ResourceClaimSpec             What is wanted.
  devices     1  DeviceClaim  The devices that are wanted.
  controller  2  string?      The driver whose controller allocates.

DeviceClaim                                           The devices that are wanted.
  requests     1  []DeviceRequest atomic?             The requests.
  constraints  2  []DeviceConstraint atomic?          What must hold of all.
  config       3  []DeviceClaimConfiguration atomic?  Parameters for drivers.

DeviceRequest                                   One request for devices.
  name             1  string!                   Its name.
  deviceClassName  2  string!                   The class of the devices.
  selectors        3  []DeviceSelector atomic?  Requirements that all must hold.
  allocationMode   4  DeviceAllocationMode?     ExactCount or All.
  count            5  int64?                    How many.
  adminAccess      6  bool?                     Whether it is for looking after devices that are in use.

DeviceConstraint                          What devices must have in common.
  requests        1  []string atomic?     Names of requests; all of them unless given.
  matchAttribute  2  FullyQualifiedName*  An attribute of one value.

DeviceClaimConfiguration                     Parameters for drivers.
  requests    1  []string atomic?            Names of requests; all of them unless given.
  opaque    2.1  OpaqueDeviceConfiguration*  Parameters for a driver.

ResourceClaimStatus                                                       What was given.
  allocation             1  AllocationResult*                             What was given, and where.
  reservedFor            2  []ResourceClaimConsumerReference by(uid)? merge key(uid)  Who uses it.
  deallocationRequested  3  bool?                                         Whether it is to be given back.

AllocationResult                           What was given, and where.
  devices       1  DeviceAllocationResult  Devices that were given.
  nodeSelector  3  core.NodeSelector*      Where they are.
  controller    4  string?                 The driver whose controller gave them.

DeviceAllocationResult                                 Devices that were given.
  results  1  []DeviceRequestAllocationResult atomic?  The devices.
  config   2  []DeviceAllocationConfiguration atomic?  Parameters for drivers.

DeviceRequestAllocationResult  A device that was given.
  request  1  string!  The request.
  driver   2  string!  The driver.
  pool     3  string!  The pool.
  device   4  string!  The device.

DeviceAllocationConfiguration                Parameters for drivers.
  source      1  AllocationConfigSource!     FromClass or FromClaim.
  requests    2  []string atomic?            Names of requests; all of them unless given.
  opaque    3.1  OpaqueDeviceConfiguration*  Parameters for a driver.

ResourceClaimConsumerReference  Who uses the claim.
  apiGroup  1  string?    Its group.
  resource  3  string!    Its resource.
  name      4  string!    Its name.
  uid       5  meta.UID!  Its uid.

ResourceClaimTemplate kind             What claims of pods are made after.
  spec  2  ResourceClaimTemplateSpec!  The claims to make; fixed.

ResourceClaimTemplateSpec          The claims to make.
  metadata  1  meta.ObjectMeta     Labels and annotations of the claims.
  spec      2  ResourceClaimSpec!  What they want.

PodSchedulingContext kind                What a pod with claims waits for.
  spec    2  PodSchedulingContextSpec!   Where the pod may go.
  status  3  PodSchedulingContextStatus  Where it cannot go.

PodSchedulingContextSpec               Where the pod may go.
  selectedNode    1  string?           The node that was chosen.
  potentialNodes  2  []string atomic?  Nodes that it may go to.

PodSchedulingContextStatus                                      Where it cannot go.
  resourceClaims  1  []ResourceClaimSchedulingStatus by(name)?  Where its claims cannot be met.

ResourceClaimSchedulingStatus           Where a claim cannot be met.
  name             1  string!           The claim, as the pod names it.
  unsuitableNodes  2  []string atomic?  Nodes that it cannot be met for.

ResourceSlice kind             Devices of one driver in one pool.
  spec  2  ResourceSliceSpec!  Devices of one driver.

ResourceSliceSpec                      Devices of one driver.
  driver        1  string!             The driver; fixed.
  pool          2  ResourcePool!       The pool of the devices.
  nodeName      3  string?             The node that has them; fixed.
  nodeSelector  4  core.NodeSelector*  The nodes that reach them.
  allNodes      5  bool?               Whether all nodes reach them.
  devices       6  []Device atomic?    The devices.

ResourcePool                      The pool of the devices.
  name                1  string!  Its name.
  generation          2  int64!   Counts its changes.
  resourceSliceCount  3  int64!   The number of its slices.

Device                    One device.
  name   1  string!       Its name.
  basic  2  BasicDevice*  What the device is like.

BasicDevice                         What the device is like.
  attributes  1  DeviceAttributes?  Its attributes.
  capacity    2  DeviceCapacity?    What it has to give.

DeviceAttribute        One value.
  int      2  int64*   A number.
  bool     3  bool*    A truth.
  string   4  string*  A text.
  version  5  string*  A semantic version.
`,
);
