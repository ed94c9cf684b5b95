export type { KubeconfigCredentials } from '../kubeconfig/index.js';
export type { CertificateMaker, CertificateRequest } from './certificate-maker.js';
export { type KubeconfigOptions, type Listener, type ListenOptions, listen } from './listener.js';
export { type NodeHandler, type NodeHandlerOptions, toNodeHandler } from './node-handler.js';
export type { CertificateAndKey, CertifiedRequestHandler, RequestHandler } from './request-handler.js';
