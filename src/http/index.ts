export type { KubeconfigCredentials } from '../kubeconfig/index.js';
export type { ConnectionLimits } from './connection-limits.js';
export { type HeapPressureOptions, heapPressure } from './heap-pressure.js';
export { type CloseOptions, type KubeconfigOptions, type Listener, type ListenOptions, listen } from './listener.js';
export { type NodeHandler, type NodeHandlerOptions, toNodeHandler } from './node-handler.js';
export type { CertificateAndKey, CertifiedRequestHandler, RequestHandler } from './request-handler.js';
export type { CertificateMaker, NamedCertificate, WantedCertificate } from './serving-certificates.js';
export type { NodeIncoming, NodeOutgoing } from './stream-request.js';
export type { TlsChoices, TlsVersion } from './tls-choices.js';
