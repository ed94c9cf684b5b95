import { type FieldError, fieldError } from '../../../../meta/field-error.js';
import { notNegative, portNumber, portNumberOrName } from '../../../shared/value-rules.js';
import type { Container } from '../../core-v1.types.js';

type Probe = NonNullable<Container['livenessProbe']>;
type Lifecycle = NonNullable<Container['lifecycle']>;
type Handler = NonNullable<Lifecycle['postStart']> & Pick<Probe, 'grpc'>;

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;
const SCHEMES: readonly string[] = ['HTTP', 'HTTPS'];
const HEADER_NAME = /^[-A-Za-z0-9]+$/;
const HEADER_TEXT =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

/** Checks that a handler has exactly one complete action. */
function validateHandler(path: string, handler: Handler, gracePeriod: number | undefined): FieldError[] {
  const presentHandlers = HANDLERS.filter((name) => handler[name] !== undefined);
  const [first, ...more] = presentHandlers;
  if (first === undefined) return [fieldError.required(path, 'must specify a handler type')];
  return [
    ...validateWay(path, { [first]: handler[first] }, gracePeriod),
    ...more.map((name) => fieldError.forbidden(`${path}.${name}`, 'may not specify more than 1 handler type')),
  ];
}

function validateWay(path: string, handler: Handler, gracePeriod: number | undefined): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  if (exec) return exec.command?.length ? [] : [fieldError.required(`${path}.exec.command`)];
  if (httpGet) return validateHttpGet(`${path}.httpGet`, httpGet);
  if (tcpSocket) return portNumberOrName(`${path}.tcpSocket.port`, tcpSocket.port);
  if (grpc) return portNumber(`${path}.grpc.port`, grpc.port);
  const seconds = sleep?.seconds ?? 0;
  if (!sleep || gracePeriod === undefined || (seconds > 0 && seconds <= gracePeriod)) return [];
  const why = `must be greater than 0 and less than terminationGracePeriodSeconds (${gracePeriod})`;
  return [fieldError.invalid(`${path}.sleep`, seconds, why)];
}

function validateHttpGet(path: string, httpGet: NonNullable<Handler['httpGet']>): FieldError[] {
  const { scheme = '', httpHeaders = [] } = httpGet;
  const errors = (httpGet.path ?? '') === '' ? [fieldError.required(`${path}.path`)] : [];
  errors.push(...portNumberOrName(`${path}.port`, httpGet.port));
  if (!SCHEMES.includes(scheme)) errors.push(fieldError.notSupported(`${path}.scheme`, scheme, SCHEMES));
  for (const { name } of httpHeaders)
    if (!HEADER_NAME.test(name)) errors.push(fieldError.invalid(`${path}.httpHeaders`, name, HEADER_TEXT));
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
  const errors = validateHandler(path, probe, undefined);
  for (const field of COUNTS) errors.push(...notNegative(`${path}.${field}`, probe[field]));
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0)
    errors.push(fieldError.invalid(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'));
  return errors;
}

/** Returns the problems of a container's probes and lifecycle hooks. `gracePeriod` is the grace period of the pod in seconds. */
export function validateProbes(path: string, container: Container, gracePeriod: number | undefined): FieldError[] {
  const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
  const errors: FieldError[] = [];
  for (const turn of ['postStart', 'preStop'] as const) {
    const handler = lifecycle?.[turn];
    if (handler) errors.push(...validateHandler(`${path}.lifecycle.${turn}`, handler, gracePeriod));
  }
  const validateSingleSuccess = (name: string, probe: Probe | undefined) => {
    errors.push(...validateProbe(`${path}.${name}`, probe));
    if (probe && probe.successThreshold !== 1)
      errors.push(fieldError.invalid(`${path}.${name}.successThreshold`, probe.successThreshold ?? 0, 'must be 1'));
  };
  validateSingleSuccess('livenessProbe', livenessProbe);
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
  validateSingleSuccess('startupProbe', startupProbe);
  return errors;
}
