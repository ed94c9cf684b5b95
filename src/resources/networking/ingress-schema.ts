import {
  always,
  embedded,
  listAtomic,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
  struct,
} from '../../schema/authoring.js';
import { topLevel } from '../../schema/object-meta-schema.js';
import { typedLocalObjectReference } from '../core/pod/pod-volume.js';
import { count, text } from '../fragments/core-struct.js';
import { protocol } from '../fragments/port-fields.js';

const serviceBackendPort = struct(
  'io.k8s.api.networking.v1.ServiceBackendPort',
  'A port of a service, by name or number.',
  () => ({
    name: omitEmpty(text, 1, 'Name of the port.'),
    number: omitEmpty(count, 2, 'Number of the port.'),
  }),
  { mapType: 'atomic' },
);

const ingressServiceBackend = struct('io.k8s.api.networking.v1.IngressServiceBackend', 'A service.', () => ({
  name: required(text, 1, 'Name of the service.'),
  port: always(serviceBackendPort, 2, 'Which port of it.'),
}));

const ingressBackend = struct('io.k8s.api.networking.v1.IngressBackend', 'Where requests go.', () => ({
  service: omitNull(ingressServiceBackend, 4, 'A service.'),
  resource: omitNull(typedLocalObjectReference, 3, 'Another object of the namespace.'),
}));
export type IngressBackend = OutputOf<typeof ingressBackend>;

const httpIngressPath = struct('io.k8s.api.networking.v1.HTTPIngressPath', 'Paths and where they go.', () => ({
  path: omitEmpty(text, 1, 'The path, or how it begins.'),
  pathType: omitNull(
    string<string>({ typeName: 'v1.PathType', enum: ['Exact', 'ImplementationSpecific', 'Prefix'] }),
    3,
    'How paths are compared: Exact, Prefix or ImplementationSpecific.',
    { required: true },
  ),
  backend: required(ingressBackend, 2, 'Where requests go.'),
}));
export type HTTPIngressPath = OutputOf<typeof httpIngressPath>;

const httpIngressRuleValue = struct('io.k8s.api.networking.v1.HTTPIngressRuleValue', 'Rules for HTTP.', () => ({
  paths: required(listAtomic(httpIngressPath), 1, 'The paths.'),
}));

const ingressRule = struct('io.k8s.api.networking.v1.IngressRule', 'Rules for a host.', () => ({
  host: omitEmpty(text, 1, 'The host; none stands for all.'),
  ...embedded(2, { http: omitNull(httpIngressRuleValue, 1, 'Rules for HTTP.') }),
}));
export type IngressRule = OutputOf<typeof ingressRule>;
/** The rules of an ingress. */
export const ingressRules = listAtomic(ingressRule);

const ingressTLS = struct('io.k8s.api.networking.v1.IngressTLS', 'A certificate for hosts.', () => ({
  hosts: omitEmpty(listAtomic(text), 1, 'The hosts.'),
  secretName: omitEmpty(text, 2, 'The secret with the certificate and its key.'),
}));
export type IngressTLS = OutputOf<typeof ingressTLS>;

const ingressSpec = struct('io.k8s.api.networking.v1.IngressSpec', 'What goes where.', () => ({
  ingressClassName: omitNull(text, 4, 'The class, and so who serves it.'),
  defaultBackend: omitNull(ingressBackend, 1, 'Where requests go that no rule is for.'),
  tls: omitEmpty(listAtomic(ingressTLS), 2, 'Certificates.'),
  rules: omitEmpty(ingressRules, 3, 'Rules by host.'),
}));

const ingressPortStatus = struct('io.k8s.api.networking.v1.IngressPortStatus', 'How one port is.', () => ({
  port: required(count, 1, 'Number of the port.'),
  protocol: required(protocol, 2, 'TCP, UDP or SCTP.'),
  error: omitNull(text, 3, 'What went wrong with it, in one word.'),
}));

const ingressLoadBalancerIngress = struct(
  'io.k8s.api.networking.v1.IngressLoadBalancerIngress',
  'One place where it can be reached.',
  () => ({
    ip: omitEmpty(text, 1, 'The address.'),
    hostname: omitEmpty(text, 2, 'The name.'),
    ports: omitEmpty(listAtomic(ingressPortStatus), 4, 'How its ports are.'),
  }),
);

const ingressLoadBalancerStatus = struct(
  'io.k8s.api.networking.v1.IngressLoadBalancerStatus',
  'Where it can be reached.',
  () => ({ ingress: omitEmpty(listAtomic(ingressLoadBalancerIngress), 1, 'The places.') }),
);

const ingressStatus = struct('io.k8s.api.networking.v1.IngressStatus', 'How it is.', () => ({
  loadBalancer: always(ingressLoadBalancerStatus, 1, 'Where it can be reached.'),
}));

export const ingressSchema = topLevel('io.k8s.api.networking.v1.Ingress', 'Which requests go where.', () => ({
  spec: always(ingressSpec, 2, 'What goes where.'),
  status: always(ingressStatus, 3, 'How it is.'),
}));
export type Ingress = OutputOf<typeof ingressSchema>;
