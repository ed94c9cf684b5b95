import {
  always,
  atomicMap,
  intOrString,
  listAtomic,
  listMap,
  type OutputOf,
  omitEmpty,
  omitNull,
  required,
  string,
} from '../../../schema/authoring.js';
import { topLevel } from '../../../schema/object-meta-schema.js';
import { condition } from '../../fragments/condition.js';
import { coreStruct, count, flag, text } from '../../fragments/core-struct.js';
import { protocol } from '../../fragments/port-fields.js';
import { byType } from '../../fragments/workload.js';

export const servicePort = coreStruct('ServicePort', 'One port of a service.', () => ({
  name: omitEmpty(text, 1, 'Its name; there must be one where there are several ports.'),
  protocol: omitEmpty(protocol, 2, 'TCP, UDP or SCTP.', { default: 'TCP' }),
  appProtocol: omitNull(text, 6, 'What is spoken above the protocol.'),
  port: required(count, 3, 'Its number.'),
  targetPort: always(intOrString(), 4, 'Number or name of the port of the pods.'),
  nodePort: omitEmpty(count, 5, 'Its number on every node.'),
}));
export type ServicePort = OutputOf<typeof servicePort>;

const clientIPConfig = coreStruct('ClientIPConfig', 'How long a client stays with a pod.', () => ({
  timeoutSeconds: omitNull(count, 1, 'Seconds, at most a day.'),
}));

const sessionAffinityConfig = coreStruct('SessionAffinityConfig', 'How clients stay with a pod.', () => ({
  clientIP: omitNull(clientIPConfig, 1, 'By the address of the client.'),
}));

/** Families of addresses, the first one's first. */
export const ipFamilies = listAtomic(string<string>({ typeName: 'v1.IPFamily', enum: ['', 'IPv4', 'IPv6'] }));

const serviceSpec = coreStruct('ServiceSpec', 'How the service is reached.', () => ({
  ports: omitEmpty(listMap(servicePort, ['port', 'protocol']), 1, 'Its ports.', {
    patchStrategy: ['merge'],
    patchMergeKey: 'port',
  }),
  selector: omitEmpty(atomicMap(text), 2, 'Labels of the pods that serve.'),
  clusterIP: omitEmpty(text, 3, 'Its address in the cluster; None for none.'),
  clusterIPs: omitEmpty(listAtomic(text), 18, 'Its addresses in the cluster, one of each family.'),
  type: omitEmpty(
    string<string>({ typeName: 'v1.ServiceType', enum: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'] }),
    4,
    'Who can reach it: ClusterIP, NodePort, LoadBalancer, or ExternalName for a mere name.',
  ),
  externalIPs: omitEmpty(listAtomic(text), 5, 'More addresses, which somebody else routes to the nodes.'),
  sessionAffinity: omitEmpty(
    string<string>({ typeName: 'v1.ServiceAffinity', enum: ['ClientIP', 'None'] }),
    7,
    'Whether clients stay with a pod: None or ClientIP.',
  ),
  loadBalancerIP: omitEmpty(text, 8, 'The address asked of the load balancer.'),
  loadBalancerSourceRanges: omitEmpty(listAtomic(text), 9, 'Who may use the load balancer.'),
  externalName: omitEmpty(text, 10, 'The name it stands for.'),
  externalTrafficPolicy: omitEmpty(
    string<string>({ typeName: 'v1.ServiceExternalTrafficPolicy', enum: ['Cluster', 'Local'] }),
    11,
    'Where requests from outside go: Cluster or Local.',
  ),
  healthCheckNodePort: omitEmpty(count, 12, 'The port that says whether a node serves.'),
  publishNotReadyAddresses: omitEmpty(flag, 13, 'Whether pods count before they are ready.'),
  sessionAffinityConfig: omitNull(sessionAffinityConfig, 14, 'How clients stay with a pod.'),
  ipFamilies: omitEmpty(ipFamilies, 19, 'The families of its addresses.'),
  ipFamilyPolicy: omitNull(
    string<string>({
      typeName: 'v1.IPFamilyPolicy',
      enum: ['PreferDualStack', 'RequireDualStack', 'SingleStack'],
    }),
    17,
    'Whether it has one family or both.',
  ),
  allocateLoadBalancerNodePorts: omitNull(flag, 20, 'Whether a load balancer needs ports of the nodes.'),
  loadBalancerClass: omitNull(text, 21, 'The class of the load balancer.'),
  internalTrafficPolicy: omitNull(
    string<string>({ typeName: 'v1.ServiceInternalTrafficPolicy', enum: ['Cluster', 'Local'] }),
    22,
    'Where requests from inside go: Cluster or Local.',
  ),
  trafficDistribution: omitNull(text, 23, 'Which endpoints are to be preferred.'),
}));
export type ServiceSpec = OutputOf<typeof serviceSpec>;

const portStatus = coreStruct('PortStatus', 'How one port is.', () => ({
  port: required(count, 1, 'Number of the port.'),
  protocol: required(protocol, 2, 'TCP, UDP or SCTP.'),
  error: omitNull(text, 3, 'What went wrong with it, in one word.'),
}));

const loadBalancerIngress = coreStruct('LoadBalancerIngress', 'One place where it can be reached.', () => ({
  ip: omitEmpty(text, 1, 'The address.'),
  hostname: omitEmpty(text, 2, 'The name.'),
  ipMode: omitNull(
    string<string>({ typeName: 'v1.LoadBalancerIPMode' }),
    3,
    'How the address is treated: VIP or Proxy.',
  ),
  ports: omitEmpty(listAtomic(portStatus), 4, 'How its ports are.'),
}));

const loadBalancerStatus = coreStruct('LoadBalancerStatus', 'Where it can be reached.', () => ({
  ingress: omitEmpty(listAtomic(loadBalancerIngress), 1, 'The places.'),
}));

const serviceStatus = coreStruct('ServiceStatus', 'How it is.', () => ({
  loadBalancer: always(loadBalancerStatus, 1, 'Where it can be reached.'),
  conditions: omitEmpty(listMap(condition, ['type']), 2, 'Its conditions.', byType),
}));

export const serviceSchema = topLevel('io.k8s.api.core.v1.Service', 'A name and address for pods.', () => ({
  spec: always(serviceSpec, 2, 'How it is reached.'),
  status: always(serviceStatus, 3, 'How it is.'),
}));
export type Service = OutputOf<typeof serviceSchema>;
