import { apiError } from '../../../meta/api-error.js';
import { fieldError } from '../../../meta/field-error.js';
import type { Draft } from '../../../registry/strategy.js';
import type { Service } from '../core-v1.types.js';
import type { ServiceClaim } from './service-claims.js';
import { mayHaveNodePorts, needsHealthPort, needsNodePorts } from './service-requirements.js';

const KIND = { group: '', kind: 'Service' };

/** Allocates the node ports of a new service. @throws ApiError 422, 500 when a port cannot be allocated. */
export function giveNodePorts(draft: Draft<Service>, claim: ServiceClaim): void {
  if (mayHaveNodePorts(draft.spec)) givePorts(draft, claim);
  if (needsHealthPort(draft.spec)) giveHealthPort(draft, claim);
}

/** Allocates node ports. Ports with the same number and different protocols share one node port. */
function givePorts(draft: Draft<Service>, claim: ServiceClaim): void {
  const { spec } = draft;
  const ports = spec.ports ?? [];
  const requestedPorts = new Map<number, number>();
  for (const { port, nodePort = 0 } of ports)
    if (nodePort !== 0 && !requestedPorts.has(port)) requestedPorts.set(port, nodePort);
  const assigned = new Map<number, number>();
  ports.forEach((each, i) => {
    const own = each.nodePort ?? 0;
    if (own === 0 && !needsNodePorts(spec)) return;
    const shared = assigned.get(each.port);
    if (shared !== undefined) {
      if (own === 0) each.nodePort = shared;
      else if (own !== shared) takeRequested(draft, claim, i, own);
      return;
    }
    const requestedPort = requestedPorts.get(each.port);
    if (requestedPort === undefined) each.nodePort = takeAny(claim);
    else {
      takeRequested(draft, claim, i, requestedPort);
      each.nodePort = requestedPort;
    }
    assigned.set(each.port, each.nodePort);
  });
}

/** Allocates the node ports of an updated service. Those that it keeps are not allocated again. @throws ApiError 422, 500 */
export function changeNodePorts(draft: Draft<Service>, old: Service, claim: ServiceClaim): void {
  if (mayHaveNodePorts(draft.spec)) changePorts(draft, old, claim);
  if (!needsHealthPort(old.spec) && needsHealthPort(draft.spec)) giveHealthPort(draft, claim);
}

function changePorts(draft: Draft<Service>, old: Service, claim: ServiceClaim): void {
  const { spec } = draft;
  const own = new Set((old.spec.ports ?? []).flatMap(({ nodePort = 0 }) => (nodePort === 0 ? [] : [nodePort])));
  const used = new Set<string>();
  (spec.ports ?? []).forEach((each, i) => {
    const requestedPort = each.nodePort ?? 0;
    if (requestedPort === 0) {
      if (!needsNodePorts(spec)) return;
      each.nodePort = takeAny(claim);
    } else if (!own.has(requestedPort)) {
      takeRequested(draft, claim, i, requestedPort);
      own.add(requestedPort);
    }
    const key = `${each.protocol ?? ''} ${each.nodePort}`;
    if (used.has(key)) throw apiError.unknown(`duplicate nodePort: {${key}}`);
    used.add(key);
  });
}

function takeRequested({ metadata }: Draft<Service>, claim: ServiceClaim, i: number, port: number): void {
  const problem = claim.take(claim.stock.ports, port);
  if (problem === undefined) return;
  throw apiError.invalid(KIND, metadata.name ?? '', [fieldError.invalid(`spec.ports[${i}].nodePort`, port, problem)]);
}

function takeAny(claim: ServiceClaim): number {
  const port = claim.takePort();
  if (port === undefined) throw apiError.internal('failed to allocate a nodePort: range is full');
  return port;
}

function giveHealthPort({ spec }: Draft<Service>, claim: ServiceClaim): void {
  const requestedPort = spec.healthCheckNodePort ?? 0;
  if (requestedPort === 0) {
    const port = claim.takePort();
    if (port === undefined) throw apiError.internal('failed to allocate a HealthCheck NodePort 0: range is full');
    spec.healthCheckNodePort = port;
    return;
  }
  const problem = claim.take(claim.stock.ports, requestedPort);
  if (problem !== undefined)
    throw apiError.internal(`failed to allocate requested HealthCheck NodePort ${requestedPort}: ${problem}`);
}
