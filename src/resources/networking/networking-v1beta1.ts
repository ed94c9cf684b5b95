import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { NetworkingV1beta1 } from './networking-v1beta1.types.js';

/** The structs of networking/v1beta1. */
export const networkingV1beta1 = /* @__PURE__ */ fieldTable<NetworkingV1beta1>(
  'io.k8s.api.networking.v1beta1',
  { meta: metaV1 },
  `
IPAddress kind            An allocated address, which is the name of the object.
  spec  2  IPAddressSpec  The user of the address.

IPAddressSpec                     The user of the address.
  parentRef  1  ParentReference*  The object that uses the address; immutable.

ParentReference          The object that uses the address.
  group      1  string?  Its group.
  resource   2  string?  Its resource.
  namespace  3  string?  Its namespace.
  name       4  string?  Its name.

ServiceCIDR kind                Ranges of service addresses.
  spec    2  ServiceCIDRSpec    The ranges.
  status  3  ServiceCIDRStatus  The observed state.

ServiceCIDRSpec               The ranges.
  cidrs  1  []string atomic?  One range, or one of each IP family; immutable.

ServiceCIDRStatus                                            The observed state.
  conditions  1  []meta.Condition by(type)? merge key(type)  Its conditions.
`,
);
