import { describe, expect, it } from 'vitest';
import { describeEveryPair, type Pairs, problemsOf } from './every-pair.js';

const HALF_TLS = '--tls-cert-file and --tls-private-key-file should be specified together';
const HALF_PROXY = '--proxy-client-cert-file and --proxy-client-key-file should be specified together';
const NO_HTTP2_SUITE =
  'error configuring http2: http2: TLSConfig.CipherSuites is missing an HTTP/2-required AES_128_GCM_SHA256 cipher (need at least one of TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 or TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256)';
const FAMILY = 'service IP family "10.0.0.0/24" must match public address family "2001:db8::1"';
const FAMILY_6 = 'service IP family "fd00::/112" must match public address family "192.0.2.1"';
const NO_SEATS =
  'invalid configuration: MaxRequestsInFlight=0 and MaxMutatingRequestsInFlight=0; they must add up to something positive';
const NO_FLOW_KINDS = (key: string) =>
  `--runtime-config=${key}=false conflicts with --enable-priority-and-fairness=true`;

describeEveryPair(
  'flags about how is served',
  {
    '--secure-port=0': [],
    '--bind-address=::': [],
    '--advertise-address=192.0.2.1': [],
    '--advertise-address=2001:db8::1': [FAMILY],
    '--external-hostname=api.example.com': [],
    '--service-cluster-ip-range=fd00::/112': [],
    '--service-cluster-ip-range=10.0.0.0/24,fd00::/112': [],
    '--endpoint-reconciler-type=none': [],
    '--service-node-port-range=80-90': [],
    '--kubernetes-service-node-port=30001': [],
    '--tls-cert-file=file': [HALF_TLS],
    '--tls-private-key-file=file': [HALF_TLS],
    '--tls-sni-cert-key=cert,key': [],
    '--cert-dir=folder': [],
    '--tls-min-version=VersionTLS12': [],
    '--tls-min-version=VersionTLS13': [],
    '--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384': [NO_HTTP2_SUITE],
    '--tls-cipher-suites=TLS_AES_128_GCM_SHA256': [NO_HTTP2_SUITE],
    '--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256': [],
    '--disable-http2-serving': [],
    '--http2-max-streams-per-connection=0': [],
    '--proxy-client-cert-file=file': [HALF_PROXY],
    '--proxy-client-key-file=file': [HALF_PROXY],
    '--enable-aggregator-routing': [],
    '--max-requests-inflight=0': [],
    '--max-mutating-requests-inflight=0': [],
    '--enable-priority-and-fairness=false': [],
    '--runtime-config=flowcontrol.apiserver.k8s.io/v1=false': [NO_FLOW_KINDS('flowcontrol.apiserver.k8s.io/v1')],
    '--runtime-config=api/ga=false': [NO_FLOW_KINDS('api/ga')],
    '--runtime-config=api/all=false': [NO_FLOW_KINDS('api/all')],
    '--runtime-config=api/beta=true': [],
    '--feature-gates=AllAlpha=true,AllBeta=false': [],
    '--shutdown-delay-duration=5s': [],
    '--shutdown-send-retry-after': [],
    '--goaway-chance=0.02': [],
    '--logging-format=json': [],
    '--vmodule=httplog=3': [],
    '--show-hidden-metrics-for-version=1.30': [],
  },
  [
    ['--advertise-address=192.0.2.1', '--service-cluster-ip-range=fd00::/112', [FAMILY_6]],
    ['--advertise-address=2001:db8::1', '--service-cluster-ip-range=fd00::/112', []],
    [
      '--advertise-address=2001:db8::1',
      '--service-cluster-ip-range=10.0.0.0/24,fd00::/112',
      ['service IP family "10.0.0.0/24" must match public address family "2001:db8::1"'],
    ],
    // Without an endpoint, no address has to be reachable.
    ['--advertise-address=2001:db8::1', '--endpoint-reconciler-type=none', []],
    [
      '--service-node-port-range=80-90',
      '--kubernetes-service-node-port=30001',
      ["kubernetes service port range 80-90 doesn't contain 30001"],
    ],
    ['--tls-cert-file', '--tls-private-key-file', []],
    ['--proxy-client-cert-file', '--proxy-client-key-file', []],
    // The cipher suites are those of TLS 1.2.
    ['--tls-min-version=VersionTLS13', '--tls-cipher-suites', []],
    ['--disable-http2-serving', '--tls-cipher-suites', []],
    ['--max-requests-inflight=0', '--max-mutating-requests-inflight=0', [NO_SEATS]],
    ['--enable-priority-and-fairness=false', '--runtime-config', []],
    ['--logging-format=json', '--vmodule=httplog=3', ['vmodule: Forbidden: Only supported for text log format']],
  ] satisfies Pairs,
);

describeEveryPair(
  'flags about the tokens of service accounts',
  {
    '--service-account-issuer=https://issuer': [
      '--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together',
      'service-account-key-file is a required flag',
    ],
    '--service-account-key-file=file': [
      '--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together',
      'service-account-issuer is a required flag',
    ],
    '--service-account-signing-key-file=file': [
      '--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together',
      'service-account-issuer is a required flag',
      'service-account-key-file is a required flag',
    ],
    '--service-account-jwks-uri=https://keys': [],
    '--service-account-max-token-expiration=2h': [],
    '--service-account-extend-token-expiration=false': [],
    '--service-account-lookup=false': [],
    '--api-audiences=me': [],
    '--service-account-private-key-file=file': [],
    '--root-ca-file=file': [],
  },
  [
    [
      '--service-account-issuer',
      '--service-account-key-file',
      [
        '--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together',
      ],
    ],
    ['--service-account-issuer', '--service-account-signing-key-file', ['service-account-key-file is a required flag']],
    [
      '--service-account-key-file',
      '--service-account-signing-key-file',
      [
        '--service-account-signing-key-file, --service-account-issuer, and --api-audiences should be specified together',
        'service-account-issuer is a required flag',
      ],
    ],
  ] satisfies Pairs,
);

describeEveryPair(
  'flags about admission',
  {
    '--enable-admission-plugins=AlwaysPullImages': [],
    '--disable-admission-plugins=AlwaysPullImages': [],
    '--disable-admission-plugins=NamespaceLifecycle': [],
    '--admission-control=AlwaysPullImages': [],
    '--admission-control-config-file=file': [],
    '--default-not-ready-toleration-seconds=1': [],
  },
  [
    [
      '--enable-admission-plugins=AlwaysPullImages',
      '--disable-admission-plugins=AlwaysPullImages',
      ['[AlwaysPullImages] in enable-admission-plugins and disable-admission-plugins overlapped'],
    ],
    ...['--enable-admission-plugins', '--disable-admission-plugins'].map(
      (flag) =>
        [
          flag,
          '--admission-control',
          ['admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive'],
        ] as const,
    ),
  ],
);

const TRUNCATE = (sink: string) =>
  `invalid audit truncate ${sink} max batch size 5, must be greater than max event size (102400)`;

// Errors of a sink that is not used do not matter.
describeEveryPair(
  'flags about audit',
  {
    '--audit-policy-file=file': [],
    '--audit-log-path=file': [],
    '--audit-log-mode=blocking-strict': [],
    '--audit-log-mode=never': [],
    '--audit-log-version=audit.k8s.io/v1beta1': [],
    '--audit-log-format=legacy': [],
    '--audit-log-format=xml': [],
    '--audit-log-maxsize=-1': [],
    '--audit-log-batch-max-size=0': [],
    '--audit-log-batch-throttle-qps=0': [],
    '--audit-log-truncate-enabled': [],
    '--audit-log-truncate-max-batch-size=5': [],
    '--audit-webhook-config-file=file': [],
    '--audit-webhook-mode=blocking': [],
    '--audit-webhook-batch-max-size=0': [],
    '--audit-webhook-batch-throttle-qps=0': [],
    '--audit-webhook-batch-throttle-enable=false': [],
    '--audit-webhook-truncate-max-batch-size=5': [],
  },
  [
    [
      '--audit-log-path',
      '--audit-log-mode=never',
      ['invalid audit log mode never, allowed modes are "batch,blocking,blocking-strict"'],
    ],
    ['--audit-log-path', '--audit-log-version', ['invalid group version, allowed versions are ["audit.k8s.io/v1"]']],
    ['--audit-log-path', '--audit-log-format=xml', ['invalid audit log format xml, allowed formats are "legacy,json"']],
    ['--audit-log-path', '--audit-log-maxsize=-1', ["--audit-log-maxsize -1 can't be a negative number"]],
    ['--audit-log-path', '--audit-log-truncate-max-batch-size', [TRUNCATE('log')]],
    [
      '--audit-webhook-config-file',
      '--audit-webhook-batch-max-size=0',
      ['invalid audit batch webhook max batch size 0, must be a positive number'],
    ],
    [
      '--audit-webhook-config-file',
      '--audit-webhook-batch-throttle-qps=0',
      ['invalid audit batch webhook throttle QPS 0, must be a positive number'],
    ],
    ['--audit-webhook-config-file', '--audit-webhook-truncate-max-batch-size', [TRUNCATE('webhook')]],
  ] satisfies Pairs,
);

describe('combinations of more than two flags', () => {
  it.each([
    [['--max-requests-inflight=0', '--max-mutating-requests-inflight=0', '--enable-priority-and-fairness=false'], []],
    [
      [
        '--service-account-issuer=https://issuer',
        '--service-account-key-file=file',
        '--service-account-signing-key-file=file',
      ],
      [],
    ],
    // The batches of the log are written as they arrive, so only another mode checks their size.
    [
      ['--audit-log-path=file', '--audit-log-mode=batch', '--audit-log-batch-max-size=0'],
      ['invalid audit batch log max batch size 0, must be a positive number'],
    ],
    [
      [
        '--audit-webhook-config-file=file',
        '--audit-webhook-batch-throttle-qps=0',
        '--audit-webhook-batch-throttle-enable=false',
      ],
      [],
    ],
    [['--audit-webhook-config-file=file', '--audit-webhook-mode=blocking', '--audit-webhook-batch-max-size=0'], []],
  ])('%j', (given, problems) => expect(problemsOf(...given)).toEqual(problems));
});

it.each([
  [['--tls-cert-file=', '--tls-private-key-file='], []],
  [['--tls-cert-file='], []],
  [['--tls-cert-file=', '--tls-private-key-file=file'], [HALF_TLS]],
  [['--proxy-client-key-file='], []],
  [['--proxy-client-cert-file=file', '--proxy-client-key-file='], [HALF_PROXY]],
  [['--save='], ['--save must not be empty']],
  [['--write-kubeconfig='], ['--write-kubeconfig must not be empty']],
])('files with empty names count as absent where that is possible: %j', (given, problems) =>
  expect(problemsOf(...given)).toEqual(problems),
);
