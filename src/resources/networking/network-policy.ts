import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { defineRules } from '../../registry/built-in-kind.js';
import type { Draft } from '../../registry/strategy.js';
import {
  always,
  intOrString,
  listAtomic,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { validateLabelSelector } from '../../selectors/label-selector-object.js';
import { age, nameColumn } from '../fragments/columns.js';
import { count, text } from '../fragments/core-struct.js';
import { isInRange, parseRange, validateRange } from '../fragments/ip-address.js';
import { labelSelector } from '../fragments/label-selector.js';
import { selectorCell } from '../fragments/pod-columns.js';
import { protocol } from '../fragments/port-fields.js';
import { portNumber, portNumberOrName } from '../fragments/value-rules.js';

// In the order of messages.
const PROTOCOLS = ['TCP', 'UDP', 'SCTP'];
const POLICY_TYPES = ['Ingress', 'Egress'];

const networkPolicyPort = struct('io.k8s.api.networking.v1.NetworkPolicyPort', 'Ports that are let through.', () => ({
  protocol: omitNull(protocol, 1, 'TCP, UDP or SCTP.'),
  port: omitNull(intOrString(), 2, 'A port by number or name; none stands for all.'),
  endPort: omitNull(count, 3, 'The last of a row of ports that begins with the port.'),
}));
type NetworkPolicyPort = OutputOf<typeof networkPolicyPort>;

const ipBlock = struct('io.k8s.api.networking.v1.IPBlock', 'A range of addresses.', () => ({
  cidr: required(text, 1, 'The range.'),
  except: omitEmpty(listAtomic(text), 2, 'Ranges in it that are left out.'),
}));

const networkPolicyPeer = struct('io.k8s.api.networking.v1.NetworkPolicyPeer', 'Who is at the other end.', () => ({
  podSelector: omitNull(labelSelector, 1, 'Pods by their labels.'),
  namespaceSelector: omitNull(labelSelector, 2, 'Namespaces by their labels.'),
  ipBlock: omitNull(ipBlock, 3, 'A range of addresses.'),
}));
type NetworkPolicyPeer = OutputOf<typeof networkPolicyPeer>;

const ports = listAtomic(networkPolicyPort);
const peers = listAtomic(networkPolicyPeer);

const ingressRule = struct('io.k8s.api.networking.v1.NetworkPolicyIngressRule', 'What may come in.', () => ({
  ports: omitEmpty(ports, 1, 'To which ports; none stands for all.'),
  from: omitEmpty(peers, 2, 'From whom; none stands for all.'),
}));

const egressRule = struct('io.k8s.api.networking.v1.NetworkPolicyEgressRule', 'What may go out.', () => ({
  ports: omitEmpty(ports, 1, 'To which ports; none stands for all.'),
  to: omitEmpty(peers, 2, 'To whom; none stands for all.'),
}));

const policyTypes = listAtomic(string<string>({ typeName: 'v1.PolicyType', enum: ['Egress', 'Ingress'] }));

const networkPolicySpec = struct('io.k8s.api.networking.v1.NetworkPolicySpec', 'What is let through.', () => ({
  podSelector: required(labelSelector, 1, 'The pods it is about.'),
  ingress: omitEmpty(listAtomic(ingressRule), 2, 'What may come in.'),
  egress: omitEmpty(listAtomic(egressRule), 3, 'What may go out.'),
  policyTypes: omitEmpty(policyTypes, 4, 'The directions it is about: Ingress, Egress or both.'),
}));
type NetworkPolicySpec = OutputOf<typeof networkPolicySpec>;

const schema = topLevel('io.k8s.api.networking.v1.NetworkPolicy', 'What pods may talk to.', () => ({
  spec: always(networkPolicySpec, 2, 'What is let through.'),
}));
export type NetworkPolicy = OutputOf<typeof schema>;

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
  // The message shows the port, not its end.
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

function validateBlock({ cidr, except = [] }: OutputOf<typeof ipBlock>, path: string): FieldError[] {
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
    const value = printed(printGoSyntax(policyTypes, types, 'networking'));
    return [fieldError.invalid('spec.policyTypes', value, 'may not specify more than two policyTypes')];
  }
  return errorsOf(types, (type, i) =>
    POLICY_TYPES.includes(type) ? [] : [fieldError.notSupported(`spec.policyTypes[${i}]`, type, POLICY_TYPES)],
  );
}

/** A selector that was let in before stays good; the spec is looked at twice, as the reference does. */
function validateUpdate({ spec }: NetworkPolicy, old: NetworkPolicy): FieldError[] {
  const anyValues = validateLabelSelector(old.spec.podSelector, 'spec.podSelector').length > 0;
  const errors = validateSpec(spec, { anyValues });
  return [...errors, ...errors];
}

export const networkPolicyRules = defineRules({
  schema,
  setDefaults,
  strategy: { validate: ({ spec }) => validateSpec(spec, { anyValues: false }), validateUpdate },
  columns: [
    nameColumn,
    {
      name: 'Pod-Selector',
      type: 'string',
      description: 'The pods it is about.',
      cell: ({ spec }) => selectorCell(spec.podSelector),
    },
    age,
  ],
});
