import { domainName } from '../../meta/dialect.js';
import type { AdmissionPluginFactory } from '../admission-plugin.js';
import { isOfPod, type PodObject, type Toleration, withSpec } from './pod.js';

const SECONDS = 300;
// Names in the label domain `node.`.
const TAINTS = ['not-ready', 'unreachable'];

/** Pods stay five minutes on a node that is not ready or cannot be reached, unless they say otherwise. */
export const defaultTolerationSeconds: AdmissionPluginFactory = ({ dialect }) => {
  const defaults = TAINTS.map((taint) => ({
    key: `node.${domainName(dialect, taint)}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: SECONDS,
  }));
  const says = ({ key = '', effect = '' }: Toleration, wanted: string): boolean =>
    (key === '' || key === wanted) && (effect === '' || effect === 'NoExecute');
  return {
    name: 'DefaultTolerationSeconds',
    handles: isOfPod('CREATE', 'UPDATE'),
    admit({ object }) {
      const pod = object as PodObject; // handles() lets only pods in
      const { tolerations = [] } = pod.spec;
      const missing = defaults.filter(({ key }) => !tolerations.some((toleration) => says(toleration, key)));
      return missing.length === 0 ? undefined : withSpec(pod, { tolerations: [...tolerations, ...missing] });
    },
  };
};
