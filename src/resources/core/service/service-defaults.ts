import type { Draft } from '../../../registry/strategy.js';
import type { Service } from '../core-v1.types.js';
import { isExternal, needsAddress } from './service-requirements.js';

const AFFINITY_SECONDS = 10_800;

/** Sets the defaults of a service. */
export function setServiceDefaults({ spec, status }: Draft<Service>): void {
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined)
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: AFFINITY_SECONDS } };
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    port.targetPort ||= port.port;
  }
  if (isExternal(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (needsAddress(spec)) spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const place of status.loadBalancer.ingress ?? []) if (place.ip) place.ipMode ??= 'VIP';
}
