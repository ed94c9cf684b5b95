import { argo, certManager, prometheus, tekton } from './delivery.js';
import { gateway, istio } from './networks.js';
import type { Project } from './schemas.js';

export const projects: readonly Project[] = [certManager, prometheus, argo, gateway, tekton, istio];
