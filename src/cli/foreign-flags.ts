/** The treatment of a flag that kube-apiserver (upstream) has and this program does not have. */
export interface ForeignFlag {
  /** Why the flag is refused; undefined when it is accepted without any effect. */
  readonly reason?: string;
  /** The accepted values, because they request what this server does in any case. */
  readonly acceptedValues?: readonly string[];
  /** The deprecation warning, in upstream's words. */
  readonly deprecated?: string;
}

const names = (text: string) => text.split(' ');

/**
 * Flags of Kubernetes 1.31 that this server does not support, grouped by the reason. `name=a|b` means that only the values a and b are
 * accepted. A flag whose default is the empty string accepts it.
 */
const REFUSED: readonly (readonly [reason: string, names: readonly string[]])[] = [
  [
    'reads are answered from memory, whatever --data-dir or --etcd-servers keep',
    names('default-watch-cache-size watch-cache=true watch-cache-sizes='),
  ],
  [
    'it is not part of what --etcd-servers offers',
    names(
      'etcd-count-metric-poll-period etcd-db-metric-poll-interval etcd-healthcheck-timeout etcd-readycheck-timeout etcd-servers-overrides= lease-reuse-duration-seconds storage-initialization-timeout storage-media-type=application/json|',
    ),
  ],
  [
    'it reaches no nodes',
    names(
      'kubelet-certificate-authority= kubelet-client-certificate= kubelet-client-key= kubelet-preferred-address-types kubelet-timeout',
    ),
  ],
  ['it has no peers', names('peer-advertise-ip= peer-advertise-port= peer-ca-file=')],
  ['other servers are asked directly', ['egress-selector-config-file=', 'aggregator-reject-forwarding-redirect=true']],
  ['it does not trace or profile itself', names('tracing-config-file= debug-socket-path= contention-profiling=false')],
  ['it speaks release 1.31', ['emulated-version=1.31']],
  ['what is deleted together is deleted one by one', ['delete-collection-workers=1']],
  ['garbage is always collected', ['enable-garbage-collector=true']],
  ['connections are bounded by --max-connections and --watch-stall-timeout', ['max-connection-bytes-per-sec=0']],
  [
    'lines are written as they come, all to stderr',
    names(
      'log-flush-frequency log-json-info-buffer-size log-json-split-stream=false log-text-info-buffer-size log-text-split-stream=false',
    ),
  ],
  ['it is not one of those that ask another server what is allowed', ['authorization-always-allow-paths']],
  ['it belongs to a later release', ['requestheader-uid-headers']],
];

/** Deprecated flags that are accepted with a warning. They have no effect here, and most of them have no effect in upstream either. */
const DEPRECATED: readonly (readonly [name: string, words: string])[] = [
  ['apiserver-count', 'apiserver-count is deprecated and will be removed in a future version.'],
  ['cloud-config', 'will be removed in a future version'],
  ['cloud-provider', 'will be removed in a future version'],
  ['enable-logs-handler', 'This flag will be removed in v1.19'],
  ['kubelet-port', 'kubelet-port is deprecated and will be removed.'],
  ['kubelet-read-only-port', 'kubelet-read-only-port is deprecated and will be removed.'],
];

/** All upstream flags that this program does not have, by name. */
export const FOREIGN_FLAGS: ReadonlyMap<string, ForeignFlag> = new Map<string, ForeignFlag>([
  ...REFUSED.flatMap(([reason, all]) =>
    all.map((each) => {
      const [name = '', values] = each.split('=');
      return [name, values === undefined ? { reason } : { reason, acceptedValues: values.split('|') }] as const;
    }),
  ),
  ...DEPRECATED.map(([name, deprecated]) => [name, { deprecated }] as const),
]);

/** Returns whether the flag may appear without a value, as boolean flags may. */
export const isForeignSwitch = ({ acceptedValues: [value] = [] }: ForeignFlag): boolean =>
  value === 'true' || value === 'false';

/** Returns the error message for a value of a flag that this program does not have, or undefined when the value is accepted. */
export function refuseForeign(
  name: string,
  { reason, acceptedValues = [] }: ForeignFlag,
  value = 'true',
): string | undefined {
  if (reason === undefined || acceptedValues.includes(value)) return undefined;
  const [does = ''] = acceptedValues;
  return `--${name} is not part of this server: ${reason}${does === '' ? '' : ` (--${name}=${does} is what it does)`}`;
}
