import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { domainName } from '../../meta/dialect.js';
import type { Pod, Toleration } from '../../resources/core/core-v1.types.js';
import { withSpec } from './pod.js';

const SECONDS = 300;

/** How long pods without tolerations of their own stay on a failed node, in seconds. */
export interface TolerationSeconds {
  /** How long pods stay on a node that is not ready, in seconds. Default 300. */
  readonly notReady?: number;
  /** How long pods stay on a node that cannot be reached, in seconds. Default 300. */
  readonly unreachable?: number;
}

/**
 * Adds tolerations for the taints `not-ready` and `unreachable` to every pod that does not tolerate them, so that the pod stays on a node
 * with such a taint for a limited time. It is one of the default plug-ins, under the name `DefaultTolerationSeconds`.
 */
export function defaultTolerationSeconds(options: TolerationSeconds = {}): AdmissionPluginFactory<Pod> {
  const { notReady = SECONDS, unreachable = SECONDS } = options;
  return ruledPlugin({
    name: 'DefaultTolerationSeconds',
    rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], resources: ['pods'] }],
    create({ dialect }) {
      // The keys of the taints contain the label domain of the API dialect: `node.kubernetes.io/not-ready`.
      const defaults = Object.entries({ 'not-ready': notReady, unreachable }).map(([taint, tolerationSeconds]) => ({
        key: `node.${domainName(dialect, taint)}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds,
      }));
      const tolerates = ({ key = '', effect = '' }: Toleration, taintKey: string): boolean =>
        (key === '' || key === taintKey) && (effect === '' || effect === 'NoExecute');
      return {
        admit({ object: pod }) {
          const { tolerations = [] } = pod.spec;
          const missing = defaults.filter(({ key }) => !tolerations.some((toleration) => tolerates(toleration, key)));
          return missing.length === 0 ? undefined : withSpec(pod, { tolerations: [...tolerations, ...missing] });
        },
      };
    },
  });
}
