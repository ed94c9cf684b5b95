import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { METADATA_CHECK } from '../../meta/object-meta-validation.js';
import { defineResource } from '../../registry/resource-definition.js';
import type { Draft } from '../../registry/strategy.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { validateLabelSelector } from '../../selectors/label-selector-object.js';
import { isInRange, parseRange } from '../../values/ip-address.js';
import { age, nameColumn } from '../shared/columns.js';
import { validateRange } from '../shared/ip-address.js';
import { selectorCell } from '../shared/pod-columns.js';
import { portNumber, portNumberOrName } from '../shared/value-rules.js';
import { networkingV1 } from './networking-v1.js';
import type {
  IPBlock,
  NetworkPolicy,
  NetworkPolicyPeer,
  NetworkPolicyPort,
  NetworkPolicySpec,
} from './networking-v1.types.js';

// The protocols in the order in which error messages list them.
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];
const POLICY_TYPES = ['Ingress', 'Egress'];

function setDefaults({ spec }: Draft<NetworkPolicy>): void {
  for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])])
    for (const port of rule.ports ?? []) port.protocol ??= 'TCP';
  if (!spec.policyTypes?.length) spec.policyTypes = spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'];
}

interface SelectorOptions {
  readonly anyValues: boolean;
}

function validateSpec(spec: NetworkPolicySpec, options: SelectorOptions): FieldError[] {
  const { podSelector, ingress = [], egress = [], policyTypes = [] } = spec;
  return [
    ...validateLabelSelector(podSelector, 'spec.podSelector', options),
    ...errorsOf(ingress, ({ ports, from }, i) => validateRule(`spec.ingress[${i}]`, ports, 'from', from, options)),
    ...errorsOf(egress, ({ ports, to }, i) => validateRule(`spec.egress[${i}]`, ports, 'to', to, options)),
    ...validatePolicyTypes(policyTypes),
  ];
}

function validateRule(
  path: string,
  ports: readonly NetworkPolicyPort[] = [],
  end: 'from' | 'to',
  peers: readonly NetworkPolicyPeer[] = [],
  options: SelectorOptions,
): FieldError[] {
  return [
    ...errorsOf(ports, (port, i) => validatePort(port, `${path}.ports[${i}]`)),
    ...errorsOf(peers, (peer, i) => validatePeer(peer, `${path}.${end}[${i}]`, options)),
  ];
}

function validatePort({ protocol, port, endPort }: NetworkPolicyPort, path: string): FieldError[] {
  return [
    ...(protocol === undefined || PROTOCOLS.includes(protocol)
      ? []
      : [fieldError.notSupported(`${path}.protocol`, protocol, PROTOCOLS)]),
    ...(typeof port === 'number' ? portNumber(`${path}.port`, port) : []),
    ...(endPort === undefined ? [] : validateEndPort(endPort, port, `${path}.endPort`)),
    ...(typeof port === 'string' ? portNumberOrName(`${path}.port`, port) : []),
  ];
}

function validateEndPort(endPort: number, port: number | string | undefined, path: string): FieldError[] {
  const refuse = (why: string, value = endPort) => [fieldError.invalid(path, value, why)];
  if (port === undefined) return refuse('may not be specified when `port` is not specified');
  if (typeof port === 'string') return refuse('may not be specified when `port` is non-numeric');
  // As in upstream, the message contains `port` instead of `endPort`.
  const early = endPort < port ? refuse('must be greater than or equal to `port`', port) : [];
  return [...early, ...portNumber(path, endPort)];
}

function validatePeer(peer: NetworkPolicyPeer, path: string, options: SelectorOptions): FieldError[] {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  const errors = [
    ...(podSelector ? validateLabelSelector(podSelector, `${path}.podSelector`, options) : []),
    ...(namespaceSelector ? validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`, options) : []),
    ...(ipBlock ? validateBlock(ipBlock, `${path}.ipBlock`) : []),
  ];
  if (!podSelector && !namespaceSelector && !ipBlock) errors.push(fieldError.required(path, 'must specify a peer'));
  else if (ipBlock && (podSelector || namespaceSelector))
    errors.push(fieldError.forbidden(path, 'may not specify both ipBlock and another peer'));
  return errors;
}

function validateBlock({ cidr, except = [] }: IPBlock, path: string): FieldError[] {
  if (cidr === '') return [fieldError.required(`${path}.cidr`)];
  const whole = parseRange(cidr);
  if (whole === undefined) return validateRange(`${path}.cidr`, cidr);
  return errorsOf(except, (exception, i) => {
    const at = `${path}.except[${i}]`;
    const part = parseRange(exception);
    if (part === undefined) return validateRange(at, exception);
    if (isInRange(part.first, whole) && part.bits > whole.bits) return [];
    return [fieldError.invalid(at, exception, 'must be a strict subset of `cidr`')];
  });
}

function validatePolicyTypes(types: readonly string[]): FieldError[] {
  if (types.length > POLICY_TYPES.length) {
    const value = printed(printGoSyntax(networkingV1.type('[]PolicyType atomic'), types, 'networking'));
    return [fieldError.invalid('spec.policyTypes', value, 'may not specify more than two policyTypes')];
  }
  return errorsOf(types, (type, i) =>
    POLICY_TYPES.includes(type) ? [] : [fieldError.notSupported(`spec.policyTypes[${i}]`, type, POLICY_TYPES)],
  );
}

/**
 * Validates an update. If the stored selector is invalid, invalid label values are accepted. Like upstream, it reports the errors of the
 * spec twice.
 */
function validateUpdate({ spec }: NetworkPolicy, old: NetworkPolicy): FieldError[] {
  const anyValues = validateLabelSelector(old.spec.podSelector, 'spec.podSelector').length > 0;
  const errors = validateSpec(spec, { anyValues });
  return [...errors, METADATA_CHECK, ...errors];
}

/** networking/v1 NetworkPolicy: the connections that pods may have. */
export const networkPolicy = defineResource({
  groupStem: 'networking',
  version: 'v1',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  shortNames: ['netpol'],
  metadataChecks: ['whole', 'changes'],
  scope: 'Namespaced',
  tracksGeneration: true,
  schema: networkingV1.struct('NetworkPolicy'),
  setDefaults,
  strategy: { validate: ({ spec }) => validateSpec(spec, { anyValues: false }), validateUpdate },
  columns: [
    nameColumn,
    {
      name: 'Pod-Selector',
      type: 'string',
      description: 'The pods that the policy applies to.',
      cell: ({ spec }) => selectorCell(spec.podSelector),
    },
    age,
  ],
});
