export type { KubeconfigCredentials } from '../kubeconfig/index.js';
export type { NodeIncoming } from './bodies/request-body.js';
export type { CertificateMaker, WantedCertificate } from './certificate-maker.js';
export type { ConnectionLimits } from './connection-limits.js';
export { type HeapPressureOptions, heapPressure } from './heap-pressure.js';
export { type CloseOptions, type KubeconfigOptions, type Listener, type ListenOptions, listen } from './listener.js';
export { type NodeHandler, type NodeHandlerOptions, toNodeHandler } from './node-handler.js';
export type { NodeOutgoing } from './node-request.js';
export type { CertificateAndKey, CertifiedRequestHandler, RequestHandler } from './request-handler.js';
