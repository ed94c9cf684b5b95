import type { OverloadCost } from '../../cost/cost.js';
import { cidrEstimates, ipEstimates } from '../../cost/library-estimates.js';
import { BOOL, INT, opaque, STRING, type Type } from '../../typing/type.js';
import { noSuchOverload } from '../../values/arithmetic.js';
import { costSize } from '../../values/size.js';
import { EvaluationError, ObjectValue, type Outcome, type Value } from '../../values/value.js';
import { global, libraryOf, member } from '../declare.js';
import type { Library } from '../library.js';
import { reading, traversal } from '../standard.js';
import {
  type Address,
  formatAddress,
  formatNetwork,
  holds,
  mask,
  type Network,
  parseAddress,
  parseNetwork,
  sameAddress,
} from './address.js';

const IP: Type = opaque('net.IP');
const CIDR: Type = opaque('net.CIDR');

class IPValue extends ObjectValue {
  readonly address: Address;
  constructor(address: Address) {
    super();
    this.address = address;
  }
  get type(): Type {
    return IP;
  }
  equals(other: Value): boolean | undefined {
    return other instanceof IPValue ? sameAddress(this.address, other.address) : undefined;
  }
  override get mapKey(): string {
    return `ip ${formatAddress(this.address)}`;
  }
  /** The number of bytes of the address. */
  override get costSize(): number {
    return this.address.bytes.length;
  }
}

class CIDRValue extends ObjectValue {
  readonly network: Network;
  constructor(network: Network) {
    super();
    this.network = network;
  }
  get type(): Type {
    return CIDR;
  }
  equals(other: Value): boolean | undefined {
    if (!(other instanceof CIDRValue)) return undefined;
    return this.network.bits === other.network.bits && sameAddress(this.network.address, other.network.address);
  }
  override get mapKey(): string {
    return `cidr ${formatNetwork(this.network)}`;
  }
  /** The number of bytes of the prefix. */
  override get costSize(): number {
    return Math.ceil(this.network.bits / 8);
  }
}

const networkError = (message: string): EvaluationError => new EvaluationError(message);

function toIP(text: string): Outcome {
  const address = parseAddress(text);
  return typeof address === 'string' ? networkError(address) : new IPValue(address);
}
function toCIDR(text: string): Outcome {
  const network = parseNetwork(text);
  return typeof network === 'string'
    ? networkError(`network address parse error during conversion from string: ${network}`)
    : new CIDRValue(network);
}

function isCanonical(text: string): Outcome {
  const address = parseAddress(text);
  return typeof address === 'string' ? networkError(address) : formatAddress(address) === text;
}

const starts = ({ bytes }: Address, ...first: number[]): boolean => first.every((byte, i) => bytes[i] === byte);
const isUnspecified = ({ bytes }: Address): boolean => bytes.every((byte) => byte === 0);
const isLoopback = (address: Address): boolean =>
  address.family === 4 ? starts(address, 127) : address.bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
const isMulticast = (address: Address): boolean =>
  address.family === 4 ? ((address.bytes[0] ?? 0) & 0xf0) === 0xe0 : starts(address, 0xff);
const isLinkLocalMulticast = (address: Address): boolean =>
  address.family === 4
    ? starts(address, 224, 0, 0)
    : starts(address, 0xff) && ((address.bytes[1] ?? 0) & 0x0f) === 0x02;
const isLinkLocalUnicast = (address: Address): boolean =>
  address.family === 4 ? starts(address, 169, 254) : starts(address, 0xfe) && ((address.bytes[1] ?? 0) & 0xc0) === 0x80;
const isGlobalUnicast = (address: Address): boolean =>
  !(isUnspecified(address) || isLoopback(address) || isMulticast(address) || isLinkLocalUnicast(address)) &&
  !(address.family === 4 && starts(address, 255, 255, 255, 255));

const property = (name: string, id: string, holdsFor: (address: Address) => boolean) =>
  member(name, id, [IP], BOOL, ({ address }: IPValue) => holdsFor(address));

function containsText({ network }: CIDRValue, text: string): Outcome {
  const address = parseAddress(text);
  // As in upstream, there is no separate overload for a string that is not an address.
  return typeof address === 'string' ? noSuchOverload() : holds(network, address);
}
const containsNetwork = (network: Network, other: Network): boolean =>
  network.bits <= other.bits && holds(network, other.address);
function containsNetworkText({ network }: CIDRValue, text: string): Outcome {
  const other = toCIDR(text);
  return other instanceof CIDRValue ? containsNetwork(network, other.network) : other;
}

const READ = reading(1);
/** Returns the cost of a containment check, which reads the address bytes twice. */
const containment = (more: (size: number) => number): OverloadCost => ({
  actual: ([network]) => {
    const size = costSize(network as Outcome);
    return traversal(size * 2) + more(size);
  },
});
/** Adds the cost of parsing an argument that the checker knows to be a string. */
const withReading = (check: OverloadCost): OverloadCost => ({
  actual: (args) => (check.actual?.(args) ?? 0) + traversal(costSize(args[1] as Outcome)),
  uncertain: check,
});
const HOLDS_IP = containment(() => 0);
const HOLDS_CIDR = containment((size) => traversal(size) + 1);

/** The library of functions for IP addresses: `ip('10.0.0.1').family()`. */
export const ips: Library = libraryOf(
  () => [
    global('isIP', 'is_ip', [STRING], BOOL, (text: string) => typeof parseAddress(text) !== 'string', READ),
    global('ip', 'string_to_ip', [STRING], IP, toIP, READ),
    global('ip.isCanonical', 'ip_is_canonical', [STRING], BOOL, isCanonical, reading(2)),
    global('string', 'ip_to_string', [IP], STRING, ({ address }: IPValue) => formatAddress(address)),
    member('family', 'ip_family', [IP], INT, ({ address }: IPValue) => address.family),
    property('isUnspecified', 'ip_is_unspecified', isUnspecified),
    property('isLoopback', 'ip_is_loopback', isLoopback),
    property('isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticast),
    property('isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicast),
    property('isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicast),
  ],
  { name: 'ip', types: [IP], estimates: ipEstimates },
);

/**
 * The library of functions for IP networks: `cidr('10.0.0.0/8').containsIP('10.0.0.1')`. It needs the library `ips`, which provides the
 * type of addresses.
 */
export const cidrs: Library = libraryOf(
  () => [
    global('isCIDR', 'is_cidr', [STRING], BOOL, (text: string) => typeof parseNetwork(text) !== 'string', READ),
    global('cidr', 'string_to_cidr', [STRING], CIDR, toCIDR, READ),
    global('string', 'cidr_to_string', [CIDR], STRING, ({ network }: CIDRValue) => formatNetwork(network)),
    member('containsIP', 'cidr_contains_ip_string', [CIDR, STRING], BOOL, containsText, withReading(HOLDS_IP)),
    member(
      'containsIP',
      'cidr_contains_ip_ip',
      [CIDR, IP],
      BOOL,
      ({ network }: CIDRValue, { address }: IPValue) => holds(network, address),
      HOLDS_IP,
    ),
    member(
      'containsCIDR',
      'cidr_contains_cidr_string',
      [CIDR, STRING],
      BOOL,
      containsNetworkText,
      withReading(HOLDS_CIDR),
    ),
    member(
      'containsCIDR',
      'cidr_contains_cidr',
      [CIDR, CIDR],
      BOOL,
      ({ network }: CIDRValue, other: CIDRValue) => containsNetwork(network, other.network),
      HOLDS_CIDR,
    ),
    member('ip', 'cidr_ip', [CIDR], IP, ({ network }: CIDRValue) => new IPValue(network.address)),
    member('prefixLength', 'cidr_prefix_length', [CIDR], INT, ({ network }: CIDRValue) => network.bits),
    member('masked', 'cidr_masked', [CIDR], CIDR, ({ network }: CIDRValue) => new CIDRValue(mask(network))),
  ],
  { name: 'cidr', types: [CIDR], estimates: cidrEstimates },
);

/** Returns the string form of an IP address or a network; undefined for other values. */
export function networkText(value: Value): string | undefined {
  if (value instanceof IPValue) return formatAddress(value.address);
  return value instanceof CIDRValue ? formatNetwork(value.network) : undefined;
}
