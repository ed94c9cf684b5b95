import { type FieldError, fieldError } from '../../../meta/field-error.js';
import { notNegative, oneOf, portNumber, portNumberOrName } from '../../fragments/value-rules.js';
import type { Container } from './pod-container.js';

type Probe = NonNullable<Container['livenessProbe']>;
type Lifecycle = NonNullable<Container['lifecycle']>;
type Handler = NonNullable<Lifecycle['postStart']> & Pick<Probe, 'grpc'>;

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;
const HEADER_NAME = /^[-A-Za-z0-9]+$/;

/** Problems of one thing to do: exactly one way, and that complete. */
function validateHandler(path: string, handler: Handler): FieldError[] {
  const given = HANDLERS.filter((name) => handler[name] !== undefined);
  const [first, ...more] = given;
  if (first === undefined) return [fieldError.required(path, 'must specify a handler type')];
  return [
    ...validateWay(path, { [first]: handler[first] }),
    ...more.map((name) => fieldError.forbidden(`${path}.${name}`, 'may not specify more than 1 handler type')),
  ];
}

function validateWay(path: string, { exec, httpGet, tcpSocket, grpc }: Handler): FieldError[] {
  if (exec) return exec.command?.length ? [] : [fieldError.required(`${path}.exec.command`)];
  if (tcpSocket) return portNumberOrName(`${path}.tcpSocket.port`, tcpSocket.port);
  if (grpc) return portNumber(`${path}.grpc.port`, grpc.port);
  if (!httpGet) return [];
  const at = `${path}.httpGet`;
  const errors = (httpGet.path ?? '') === '' ? [fieldError.required(`${at}.path`)] : [];
  errors.push(
    ...portNumberOrName(`${at}.port`, httpGet.port),
    ...oneOf(`${at}.scheme`, httpGet.scheme, ['HTTP', 'HTTPS']),
  );
  for (const [i, { name }] of (httpGet.httpHeaders ?? []).entries())
    if (!HEADER_NAME.test(name))
      errors.push(
        fieldError.invalid(
          `${at}.httpHeaders[${i}]`,
          name,
          "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
        ),
      );
  return errors;
}

const COUNTS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;

function validateProbe(path: string, probe: Probe | undefined): FieldError[] {
  if (!probe) return [];
  const errors = validateHandler(path, probe);
  for (const field of COUNTS) errors.push(...notNegative(`${path}.${field}`, probe[field]));
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0)
    errors.push(fieldError.invalid(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'));
  return errors;
}

/** Problems of a container's probes and of what it does at the turns of its life. */
export function validateProbes(path: string, container: Container): FieldError[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  const errors: FieldError[] = [];
  for (const [turn, handler] of Object.entries(lifecycle ?? {}))
    errors.push(...validateHandler(`${path}.lifecycle.${turn}`, handler));
  const onceIsEnough = (name: string, probe: Probe | undefined) => {
    errors.push(...validateProbe(`${path}.${name}`, probe));
    if (probe && probe.successThreshold !== 1)
      errors.push(fieldError.invalid(`${path}.${name}.successThreshold`, probe.successThreshold ?? 0, 'must be 1'));
  };
  onceIsEnough('livenessProbe', livenessProbe);
  errors.push(...validateProbe(`${path}.readinessProbe`, readinessProbe));
  const grace = readinessProbe?.terminationGracePeriodSeconds;
  if (grace !== undefined)
    errors.push(
      fieldError.invalid(
        `${path}.readinessProbe.terminationGracePeriodSeconds`,
        grace,
        'must not be set for readinessProbes',
      ),
    );
  onceIsEnough('startupProbe', startupProbe);
  return errors;
}
