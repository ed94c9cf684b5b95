import { fieldTable } from '../../schema/field-table.js';
import { metaV1 } from '../../schema/meta-v1.js';
import type { NetworkingV1beta1 } from './networking-v1beta1.types.js';

/** The structs of networking/v1beta1. */
export const networkingV1beta1 = /* @__PURE__ */ fieldTable<NetworkingV1beta1>(
  'io.k8s.api.networking.v1beta1',
  { meta: metaV1 },
  `
IPAddress kind            An address that is taken: its name.
  spec  2  IPAddressSpec  Who has the address.

IPAddressSpec                     Who has the address.
  parentRef  1  ParentReference*  The object that has the address; fixed.

ParentReference          The object that has the address.
  group      1  string?  Its group.
  resource   2  string?  Its resource.
  namespace  3  string?  Its namespace.
  name       4  string?  Its name.

ServiceCIDR kind                Ranges that services get addresses from.
  spec    2  ServiceCIDRSpec    The ranges.
  status  3  ServiceCIDRStatus  What was found about it.

ServiceCIDRSpec               The ranges.
  cidrs  1  []string atomic?  One range, or one of each family; fixed.

ServiceCIDRStatus                                            What was found about it.
  conditions  1  []meta.Condition by(type)? merge key(type)  Its conditions.
`,
);
