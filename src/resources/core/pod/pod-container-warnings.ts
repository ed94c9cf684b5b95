import { quote } from '../../../values/quote.js';
import type { Container } from '../core-v1.types.js';
import type { PlacedContainer } from './pod-containers.js';

type Port = NonNullable<Container['ports']>[number];

/** Returns warnings about variables that hide one of the same name without referring to it. */
export function variableWarnings(variables: NonNullable<Container['env']>, path: string): readonly string[] {
  const seen = new Set<string>();
  return variables.flatMap(({ name, value = '', valueFrom }, i) => {
    const isFirst = !seen.has(name);
    seen.add(name);
    const reference = `$(${name})`;
    if (isFirst || (valueFrom === undefined && value !== reference && value.includes(reference))) return [];
    return [`${path}[${i}]: hides previous definition of ${quote(name)}, which may be dropped when using apply`];
  });
}

/** Returns warnings about ports that are declared twice or that overlap. */
export function portWarnings(containers: readonly PlacedContainer[]): readonly string[] {
  const known = new Map<string, { readonly path: string; readonly port: Port }[]>();
  const warnings: string[] = [];
  let pairs = MOST_PAIRS;
  for (const { container, path: at } of containers)
    for (const [i, port] of (container.ports ?? []).entries()) {
      const path = `${at}.ports[${i}]`;
      if ((port.hostIP ?? '') !== '' && (port.hostPort ?? 0) === 0)
        warnings.push(`${path}: hostIP set without hostPort: ${printedPort(port)}`);
      const key = `${port.containerPort}/${port.protocol}`;
      const others = known.get(key) ?? [];
      for (const other of others) {
        const clash = portClash(port, other.port);
        if (clash !== undefined) warnings.push(`${path}: ${clash} port definition with ${other.path}`);
        if (--pairs === 0 || warnings.length === MOST) return warnings;
      }
      others.push({ path, port });
      known.set(key, others);
    }
  return warnings;
}

/** Maximum number of warnings, because a response has no room for more. */
const MOST = 100;
/** Maximum number of comparisons. All pairs of ports with the same number are compared, which would be too many in a large pod. */
const MOST_PAIRS = 100_000;

function portClash(a: Port, b: Port): string | undefined {
  const [ipA = '', ipB = ''] = [a.hostIP, b.hostIP];
  const [portA = 0, portB = 0] = [a.hostPort, b.hostPort];
  if (ipA === ipB && portA === portB) return 'duplicate';
  if (portA === 0 || portB === 0) return 'overlapping';
  return portA === portB && (ipA === '') !== (ipB === '') ? 'dangerously ambiguous' : undefined;
}

function printedPort({ name = '', hostPort = 0, containerPort, protocol, hostIP = '' }: Port): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}
