import { originalMember } from '../../json/original-members.js';
import { errorsOf, type FieldError, fieldError, printed } from '../../meta/field-error.js';
import { dns1035Label, dns1123Subdomain, wildcardSubdomain } from '../../meta/names.js';
import { printGoSyntax } from '../../schema/print-go-syntax.js';
import { parseAddress } from '../../values/ip-address.js';
import { validateAddress } from '../shared/ip-address.js';
import { portName, portNumber, validateOptional, validateRequired } from '../shared/value-rules.js';
import { networkingV1 } from './networking-v1.js';
import type { HTTPIngressPath, Ingress, IngressBackend, IngressRule, IngressTLS } from './networking-v1.types.js';
import { validateTypedReference } from './typed-reference.js';

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
const BAD_SEQUENCES = ['//', '/./', '/../', '%2f', '%2F'];
const BAD_ENDS = ['/..', '/.'];
const NOT_AN_ADDRESS = 'must be a DNS name, not an IP address';

/** Invalid values that an update accepts because the stored ingress has them. */
interface IngressTolerance {
  readonly anySecretName?: boolean;
  readonly anyWildcardRule?: boolean;
}

/** Returns the validation errors of a new ingress. `classAnnotation` is the older annotation for the class. */
export function validateIngress(ingress: Ingress, classAnnotation: string): FieldError[] {
  const annotated = ingress.metadata.annotations?.[classAnnotation];
  const { ingressClassName: name } = ingress.spec;
  if (annotated === undefined || name === undefined || annotated === name) return validateSpec(ingress.spec, {});
  const why = 'must match `ingressClassName` when both are specified';
  return [...validateSpec(ingress.spec, {}), fieldError.invalid(`annotations.${classAnnotation}`, annotated, why)];
}

/**
 * Returns the validation errors of an ingress update. If the stored ingress has invalid secret names or wildcard rules, invalid ones are
 * accepted.
 */
export function validateIngressUpdate({ spec }: Ingress, old: Ingress): FieldError[] {
  const { tls = [], rules = [] } = old.spec;
  return validateSpec(spec, {
    anySecretName: tls.some(({ secretName }) => validateOptional('', secretName, dns1123Subdomain).length > 0),
    anyWildcardRule: rules.some((rule) => rule.host?.includes('*') && validateRuleValue(rule, '').length > 0),
  });
}

/** Returns the validation errors of the load balancer status. */
export function validateIngressStatus({ status }: Ingress): FieldError[] {
  return errorsOf(status.loadBalancer.ingress ?? [], ({ ip = '', hostname = '' }, i) => {
    const path = `status.loadBalancer.ingress[${i}]`;
    return [
      ...(ip === '' ? [] : validateAddress(`${path}.ip`, ip)),
      ...validateOptional(`${path}.hostname`, hostname, dns1123Subdomain),
      ...notAnAddress(`${path}.hostname`, hostname),
    ];
  });
}

const notAnAddress = (path: string, host: string): FieldError[] =>
  parseAddress(host) ? [fieldError.invalid(path, host, NOT_AN_ADDRESS)] : [];

function validateSpec(spec: Ingress['spec'], tolerance: IngressTolerance): FieldError[] {
  const { defaultBackend, rules, tls = [], ingressClassName: className } = spec;
  const isEmpty = !rules?.length && defaultBackend === undefined;
  const empty = () => printed(printGoSyntax(networkingV1.type('[]IngressRule atomic'), originalMember(spec, 'rules')));
  return [
    ...(isEmpty ? [fieldError.invalid('spec', empty(), 'either `defaultBackend` or `rules` must be specified')] : []),
    ...(defaultBackend ? validateBackend(defaultBackend, 'spec.defaultBackend') : []),
    ...errorsOf(rules ?? [], (rule, i) => validateRule(rule, `spec.rules[${i}]`, tolerance)),
    ...errorsOf(tls, (item, i) => validateTLS(item, `spec.tls[${i}]`, tolerance)),
    ...(className === undefined
      ? []
      : dns1123Subdomain(className).map((problem) => fieldError.invalid('spec.ingressClassName', className, problem))),
  ];
}

function validateRule(rule: IngressRule, path: string, { anyWildcardRule }: IngressTolerance): FieldError[] {
  const { host = '' } = rule;
  const isWildcard = host.includes('*');
  return [
    ...notAnAddress(`${path}.host`, host),
    ...validateOptional(`${path}.host`, host, isWildcard ? wildcardSubdomain : dns1123Subdomain),
    ...(isWildcard && anyWildcardRule ? [] : validateRuleValue(rule, path)),
  ];
}

function validateRuleValue({ http }: IngressRule, path: string): FieldError[] {
  if (http === undefined) return [];
  if (!http.paths?.length) return [fieldError.required(`${path}.http.paths`)];
  return errorsOf(http.paths, (item, i) => validatePath(item, `${path}.http.paths[${i}]`));
}

function validatePath({ path: value = '', pathType: type, backend }: HTTPIngressPath, path: string): FieldError[] {
  if (type === undefined) return [fieldError.required(`${path}.pathType`, 'pathType must be specified')];
  return [...validatePathValue(value, type, path), ...validateBackend(backend, `${path}.backend`)];
}

function validatePathValue(value: string, type: string, path: string): FieldError[] {
  if (!PATH_TYPES.includes(type)) return [fieldError.notSupported(`${path}.pathType`, type, PATH_TYPES)];
  const refuse = (why: string) => fieldError.invalid(`${path}.path`, value, why);
  const relative = value.startsWith('/') ? [] : [refuse('must be an absolute path')];
  if (type === 'ImplementationSpecific') return value === '' ? [] : relative;
  return [
    ...relative,
    ...BAD_SEQUENCES.filter((bad) => value.includes(bad)).map((bad) => refuse(`must not contain '${bad}'`)),
    ...BAD_ENDS.filter((bad) => value.endsWith(bad)).map((bad) => refuse(`cannot end with '${bad}'`)),
  ];
}

function validateBackend({ service, resource }: IngressBackend, path: string): FieldError[] {
  if (service && resource) return [fieldError.invalid(path, '', 'cannot set both resource and service backends')];
  if (resource) return validateTypedReference(resource, `${path}.resource`);
  if (!service) return [fieldError.invalid(path, '', 'resource or service backend is required')];
  return [
    ...validateRequired(`${path}.service.name`, service.name, dns1035Label),
    ...validateBackendPort(service.port, path),
  ];
}

function validateBackendPort(
  { name = '', number = 0 }: { name?: string; number?: number },
  path: string,
): FieldError[] {
  if (name !== '' && number !== 0) return [fieldError.invalid(path, '', 'cannot set both port name & port number')];
  if (name !== '') return validateOptional(`${path}.service.port.name`, name, portName);
  if (number !== 0) return portNumber(`${path}.service.port.number`, number);
  return [fieldError.required(path, 'port name or number is required')];
}

function validateTLS(
  { hosts = [], secretName }: IngressTLS,
  path: string,
  { anySecretName }: IngressTolerance,
): FieldError[] {
  return [
    ...errorsOf(hosts, (host, i) =>
      (host.includes('*') ? wildcardSubdomain : dns1123Subdomain)(host).map((problem) =>
        fieldError.invalid(`${path}.hosts[${i}]`, host, problem),
      ),
    ),
    ...(anySecretName ? [] : validateOptional(`${path}.secretName`, secretName, dns1123Subdomain)),
  ];
}
