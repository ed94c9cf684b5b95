import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkFlags } from '../../src/cli/check-flags.js';
import { featureSwitches } from '../../src/cli/feature-switches.js';
import { metricsOptions } from '../../src/cli/metrics-options.js';
import { parseFlags } from '../../src/cli/parse-flags.js';
import { checkPluginNames } from '../../src/cli/plugin-names.js';
import { readNamedFiles } from '../../src/cli/tls-options.js';
import { featureGates, gateWarnings } from '../../src/meta/features/feature-gates.js';

/** Returns the error of the program for some flags; '' if it starts. */
function said(...flags: readonly string[]): string {
  const read = parseFlags(['--dialect=k8s', ...flags]);
  return [...checkFlags(read), ...checkPluginNames(read)].join('\n');
}

it.each([
  ['--max-requests-inflight=-400', '--max-requests-inflight can not be negative value'],
  ['--max-mutating-requests-inflight=-200', '--max-mutating-requests-inflight can not be negative value'],
  ['--request-timeout=-2m', '--request-timeout can not be negative value'],
  ['--min-request-timeout=-1800', '--min-request-timeout can not be negative value'],
  ['--livez-grace-period=-1s', '--livez-grace-period can not be a negative value'],
  ['--shutdown-delay-duration=-1s', '--shutdown-delay-duration can not be negative value'],
  [
    '--shutdown-watch-termination-grace-period=-1s',
    'shutdown-watch-termination-grace-period, if provided, can not be a negative value',
  ],
  ['--goaway-chance=0.1', '--goaway-chance can not be less than 0 or greater than 0.02'],
  [
    '--strict-transport-security-directives=fakevalue,includeSubDomains,preload',
    '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
  ],
])('%s is refused', (flag, message) => {
  expect(said(flag)).toBe(message);
});

it('known directives of Strict-Transport-Security are accepted', () => {
  expect(said('--strict-transport-security-directives=max-age=31536000,includeSubDomains,preload')).toBe('');
});

it.each([
  ...['^http://foo.com$', '^http://foo.com', '://foo.com$', '//foo.com$', '^http://foo.com(:|$)', '://foo.com(:|$)'],
  ...['//foo.com(:|$)', '(^foo.com$)', '^http://foo.com$,//bar.com(:|$)'],
])('the patterns %s match whole origins', (origins) => {
  expect(said(`--cors-allowed-origins=${origins}`)).toBe('');
});

it.each([
  ['^foo.com', 'regular expression does not pin to start/end of host in the origin header'],
  ['//foo.com', 'regular expression does not pin to start/end of host in the origin header'],
  ['foo.com$', 'regular expression does not pin to start/end of host in the origin header'],
  ['foo.com(:|$)', 'regular expression does not pin to start/end of host in the origin header'],
  ['^http://foo.com$,^foo.com', 'regular expression does not pin to start/end of host in the origin header'],
  ['^http://foo.com$,', 'empty value in --cors-allowed-origins'],
])('the patterns %s do not match', (origins, message) => {
  expect(said(`--cors-allowed-origins=${origins}`)).toContain(message);
});

const FLOWS = 'flowcontrol.apiserver.k8s.io';
it.each([
  ['api/all=false', 'api/all'],
  ['api/beta=false', ''],
  ['api/ga=false', 'api/ga'],
  ['api/ga=true', ''],
  [`${FLOWS}/v1beta1=false`, ''],
  [`${FLOWS}/v1beta2=false`, ''],
  [`${FLOWS}/v1beta3=false`, ''],
  [`${FLOWS}/v1beta3=true`, ''],
  [`${FLOWS}/v1=true`, ''],
  [`${FLOWS}/v1=false`, `${FLOWS}/v1`],
  [`${FLOWS}/v1beta3=true,${FLOWS}/v1=false`, `${FLOWS}/v1`],
])('priority and fairness is switched by --runtime-config=%s', (config, off) => {
  const message = off && `--runtime-config=${off}=false conflicts with --enable-priority-and-fairness=true`;
  expect(said(`--runtime-config=${config}`)).toBe(message);
  expect(said(`--runtime-config=${config}`, '--enable-priority-and-fairness=false')).toBe('');
});

const LOG = '--audit-log-path=/tmp/audit.log';
const WEBHOOK = '--audit-webhook-config-file=/tmp/audit.yaml';
it.each([
  [[LOG], ''],
  [['--audit-log-path=-'], ''],
  [[WEBHOOK, '--audit-webhook-mode=blocking-strict'], ''],
  [[LOG, WEBHOOK, '--audit-log-mode=batch', '--audit-webhook-mode=blocking'], ''],
  [[WEBHOOK, '--audit-webhook-truncate-enabled'], ''],
  [[LOG, '--audit-log-format=foo'], 'invalid audit log format foo, allowed formats are "legacy,json"'],
  [[LOG, '--audit-log-mode=foo'], 'invalid audit log mode foo, allowed modes are "batch,blocking,blocking-strict"'],
  [
    [LOG, '--audit-log-mode=batch', '--audit-log-batch-buffer-size=-3'],
    'invalid audit batch log buffer size -3, must be a positive number',
  ],
  [
    [WEBHOOK, '--audit-webhook-mode=foo'],
    'invalid audit webhook mode foo, allowed modes are "batch,blocking,blocking-strict"',
  ],
  [
    [WEBHOOK, '--audit-webhook-batch-throttle-qps=-1'],
    'invalid audit batch webhook throttle QPS -1, must be a positive number',
  ],
  [
    [WEBHOOK, '--audit-webhook-truncate-enabled', '--audit-webhook-truncate-max-event-size=-1'],
    'invalid audit truncate webhook max event size -1, must be a positive number',
  ],
  [
    [WEBHOOK, '--audit-webhook-truncate-max-event-size=2', '--audit-webhook-truncate-max-batch-size=1'],
    'invalid audit truncate webhook max batch size 1, must be greater than max event size (2)',
  ],
])('audit options of %j', (flags, message) => {
  expect(said(...flags)).toBe(message);
});

it.each([
  [['--max-requests-inflight=0', '--max-mutating-requests-inflight=1'], ''],
  [['--max-requests-inflight=1', '--max-mutating-requests-inflight=0'], ''],
  [
    ['--max-requests-inflight=0', '--max-mutating-requests-inflight=0'],
    'invalid configuration: MaxRequestsInFlight=0 and MaxMutatingRequestsInFlight=0; they must add up to something positive',
  ],
  [['--max-requests-inflight=0', '--max-mutating-requests-inflight=0', '--enable-priority-and-fairness=false'], ''],
])('seats with %j', (flags, message) => expect(said(...flags)).toBe(message));

describe('authentication', () => {
  const ISSUER = '--service-account-issuer=http://foo.bar.com';
  const KEYS = ['--service-account-key-file=k', '--service-account-signing-key-file=s'];
  const OIDC = ['--oidc-issuer-url=https://testIssuerURL', '--oidc-client-id=testClientID'];
  it.each<[readonly string[], string]>([
    [[], ''],
    [[...OIDC, ISSUER, ...KEYS], ''],
    [
      ['--oidc-issuer-url=https://testIssuerURL', ISSUER, ...KEYS],
      'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
    ],
    [[ISSUER, '--service-account-signing-key-file=s'], 'service-account-key-file is a required flag'],
    [KEYS, 'service-account-issuer is a required flag'],
    [['--service-account-issuer=', ...KEYS], 'service-account-issuer should not be an empty string'],
    [[ISSUER, ISSUER, ...KEYS], 'service-account-issuer "http://foo.bar.com" is already specified'],
    [
      ['--service-account-issuer=http://[::1]:namedport', ...KEYS],
      'service-account-issuer "http://[::1]:namedport" contained a \':\' but was not a valid URL: parse "http://[::1]:namedport": invalid port ":namedport" after host',
    ],
    [
      [ISSUER, ...KEYS, '--service-account-jwks-uri=https://host:port'],
      'service-account-jwks-uri must be a valid URL: parse "https://host:port": invalid port ":port" after host',
    ],
    [
      [ISSUER, ...KEYS, '--service-account-jwks-uri=http://baz.com'],
      'service-account-jwks-uri requires https scheme, parsed as: http://baz.com',
    ],
    [[ISSUER, ...KEYS, '--service-account-jwks-uri=https://baz.com'], ''],
    [[ISSUER, ...KEYS, '--service-account-jwks-uri='], ''],
    [['--authentication-config=file'], ''],
    [['--authentication-config=file', ...OIDC], 'authentication-config file and oidc-* flags are mutually exclusive'],
    [
      ['--authentication-config=file', '--feature-gates=StructuredAuthenticationConfiguration=false'],
      'set --feature-gates=StructuredAuthenticationConfiguration=true to use authentication-config file',
    ],
    [['--requestheader-username-headers= '], 'empty value in "requestheader-username-headers"'],
    [['--requestheader-group-headers= '], 'empty value in "requestheader-group-headers"'],
    [['--requestheader-extra-headers-prefix= '], 'empty value in "requestheader-extra-headers-prefix"'],
    [['--requestheader-allowed-names= '], 'empty value in "requestheader-allowed-names"'],
  ])('is configured by %j', (flags, message) => {
    if (message === '') expect(said(...flags)).toBe('');
    else expect(said(...flags)).toContain(message);
  });
});

it.each([
  ['--authorization-mode=DoesNotExist', 'authorization-mode "DoesNotExist" is not a valid mode'],
  // Upstream sets a default mode if none is given.
  ['--authorization-mode=', ''],
  ['--authorization-mode=AlwaysAllow,AlwaysDeny', ''],
  [
    '--authorization-mode=AlwaysAllow,AlwaysDeny,ABAC',
    "authorization-mode ABAC's authorization policy file not passed",
  ],
  [
    '--authorization-mode=AlwaysAllow,AlwaysDeny --authorization-policy-file=f',
    'cannot specify --authorization-policy-file without mode ABAC',
  ],
  ['--authorization-mode=AlwaysAllow,AlwaysDeny,ABAC --authorization-policy-file=f', ''],
  ['--authorization-mode=Webhook', "authorization-mode Webhook's authorization config file not passed"],
  [
    '--authorization-mode=AlwaysAllow --authorization-webhook-config-file=f',
    'cannot specify --authorization-webhook-config-file without mode Webhook',
  ],
  ['--authorization-mode=Webhook --authorization-webhook-config-file=f', ''],
  [
    '--authorization-config=f --feature-gates=StructuredAuthorizationConfiguration=false',
    '--authorization-config cannot be used without enabling StructuredAuthorizationConfiguration feature flag',
  ],
  [
    '--authorization-config=f --feature-gates=kube:AllBeta=false',
    '--authorization-config cannot be used without enabling StructuredAuthorizationConfiguration feature flag',
  ],
])('authorization is configured by %s', (flags, message) => expect(said(...flags.split(' '))).toBe(message));

const RANGE = '--service-cluster-ip-range';
const tooLarge = (flag: string, bits: number, least: number) =>
  `specified ${flag} is too large; for ${bits}-bit addresses, the mask must be >= ${least}`;
it.each([
  ['', 'service-cluster-ip-range[0] is not a valid cidr'],
  [',10.0.0.0/16', 'service-cluster-ip-range[0] is not a valid cidr'],
  ['10.0.0.0/16,11.0.0.0/16', `${RANGE}[0] and ${RANGE}[1] must be of different IP family`],
  ['2000::/108,3000::/108', `${RANGE}[0] and ${RANGE}[1] must be of different IP family`],
  ['10.0.0.0/8', tooLarge(RANGE, 32, 12)],
  ['3000::/64', tooLarge(RANGE, 128, 108)],
  ['10.0.0.0/16,3000::/64', tooLarge(`${RANGE}[1]`, 128, 108)],
  ...['10.0.0.0/16', '244.0.0.0/16', '10.92.0.0/12', '3000::/108', '10.0.0.0/16,3000::/108'].map((fine) => [fine, '']),
  ['3000::/108,10.0.0.0/16', ''],
])('service ranges of %s', (range, message) => expect(said(`${RANGE}=${range}`)).toBe(message));

it.each([
  [-1, '30065-30065', 'must be between 0 and 65535, inclusive'],
  [65536, '30065-30065', 'must be between 0 and 65535, inclusive'],
  [30064, '30065-30065', "doesn't contain 30064"],
  [30067, '30065-30065', "doesn't contain 30067"],
])('port %d of %s is not allocated', (port, range, message) => {
  expect(said(`--kubernetes-service-node-port=${port}`, `--service-node-port-range=${range}`)).toContain(message);
});
it('a node port within the range is allocated', () => {
  expect(said('--kubernetes-service-node-port=30067', '--service-node-port-range=30065-30069')).toBe('');
});

it.each([
  ['--enable-admission-plugins=PodSecurity,LimitRanger --disable-admission-plugins=ResourceQuota', ''],
  [
    '--enable-admission-plugins=PodSecurity,LimitRanger --disable-admission-plugins=LimitRanger',
    '[LimitRanger] in enable-admission-plugins and disable-admission-plugins overlapped',
  ],
  ['--enable-admission-plugins=PodSecurity,pluginE', 'enable-admission-plugins plugin "pluginE" is unknown'],
  ['--disable-admission-plugins=PodSecurity,pluginE', 'disable-admission-plugins plugin "pluginE" is unknown'],
  ['--disable-admission-plugins=PodSecurity', ''],
  ['--admission-control=pluginE', 'admission-control plugin "pluginE" is unknown'],
  [
    '--admission-control=PodSecurity --enable-admission-plugins=LimitRanger',
    'admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive',
  ],
])('plug-ins are configured by %s', (flags, message) => expect(said(...flags.split(' '))).toBe(message));

it.each([
  ['--logging-format=text --vmodule=gopher*=100 --v=10', ''],
  ['--logging-format=json', ''],
  ['--logging-format=no-such-format', 'format: Invalid value: "no-such-format": Unsupported log format'],
  ['--logging-format=json --vmodule=foo=1', 'vmodule: Forbidden: Only supported for text log format'],
  ['--vmodule=foo', 'invalid argument "foo" for "--vmodule" flag: "foo" does not have the pattern=N format'],
])('logs are configured by %s', (flags, message) => expect(said(...flags.split(' '))).toBe(message));

it.each(['x', 'localhost', '1.2.3'])('the server does not listen on %s', (address) => {
  expect(said(`--bind-address=${address}`)).toBe(
    `invalid argument "${address}" for "--bind-address" flag: failed to parse IP: "${address}"`,
  );
});

it.each<[string, readonly string[], string | undefined]>([
  ['foo.crt,foo.key', ['foo.crt', 'foo.key'], undefined],
  ['  foo.crt , foo.key    ', ['foo.crt', 'foo.key'], undefined],
  ['foo.crt,foo.key:abc', ['foo.crt', 'foo.key'], 'abc'],
  ['foo.crt,foo.key: abc  ', ['foo.crt', 'foo.key'], 'abc'],
  ['foo.crt,foo.key:abc,def,ghi', ['foo.crt', 'foo.key'], 'abc,def,ghi'],
  ['foo.crt,foo.key:*.*.*', ['foo.crt', 'foo.key'], '*.*.*'],
])('the serving certificate is that of %s', (text, [cert, key], names) => {
  expect(readNamedFiles(text)).toEqual({ cert, key, ...(names === undefined ? {} : { names: names.split(',') }) });
});
it.each([
  ['foo.crt,foo.key:', 'empty names list is not allowed'],
  ...['', '   ', 'a,b,c'].map((text) => [text, 'expected comma separated certificate and key file paths']),
])('no certificate is served for %j', (text, message) => expect(() => readNamedFiles(text as string)).toThrow(message));

describe('feature gates', () => {
  const on = (text: string) =>
    featureGates(featureSwitches(parseFlags([`--feature-gates=${text}`]).values['feature-gates']));
  // WatchList is an alpha gate, OpenAPIEnums a beta gate that is on, NodeLogQuery one that is off.
  it.each([
    ['', [false, true, false]],
    ['AllAlpha=false', [false, true, false]],
    ['AllAlpha=true', [true, true, false]],
    ['AllAlpha=false,WatchList=true', [true, true, false]],
    ['WatchList=true,AllAlpha=false', [true, true, false]],
    ['AllAlpha=true,WatchList=false', [false, true, false]],
    ['WatchList=false,AllAlpha=true', [false, true, false]],
    ['OpenAPIEnums=true,AllAlpha=false', [false, true, false]],
    ['AllBeta=true', [false, true, true]],
    ['AllBeta=true,NodeLogQuery=false', [false, true, false]],
    ['NodeLogQuery=false,AllBeta=true', [false, true, false]],
    ['WatchList=true,AllBeta=true', [true, true, true]],
    ['WatchList=false,WatchList=true', [true, true, false]],
    ['kube:WatchList=true', [true, true, false]],
  ])('%s', (text, [watchList, enums, logs]) => {
    const { WatchList, OpenAPIEnums, NodeLogQuery } = on(text);
    expect([WatchList, OpenAPIEnums, NodeLogQuery]).toEqual([watchList, enums, logs]);
  });
  it('switch the gates that they require', () => {
    expect(on('AllBeta=false,ServiceAccountTokenNodeBinding=false').OpenAPIEnums).toBe(false);
    expect(on('AllBeta=false,OpenAPIEnums=true').OpenAPIEnums).toBe(true);
  });
  it.each([
    ['fooBarBaz=true', 'unrecognized feature gate: fooBarBaz'],
    ['AllAlpha=banana', 'invalid value of AllAlpha'],
    ['AllBeta=banana', 'invalid value of AllBeta'],
    ['WatchBookmark=false', 'cannot set feature gate WatchBookmark to false, feature is locked to true'],
    ['WatchList', 'missing bool value for WatchList'],
  ])('refuse %s', (text, message) => expect(() => on(text)).toThrow(message));
  it.each([
    [{ KMSv1: true }, 'Setting deprecated feature gate KMSv1=true. It will be removed in a future release.'],
    [{ WatchBookmark: true }, 'Setting GA feature gate WatchBookmark=true. It will be removed in a future release.'],
  ])('%j is accepted with a warning', (given, message) => expect(gateWarnings(given)).toEqual([message]));
});

it('allowed metric labels of the flag replace those of the manifest', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'labels-'));
  const file = join(folder, 'labels.yaml');
  writeFileSync(file, 'metric1,label1: v1,v2\n');
  const manifest = `--allow-metric-labels-manifest=${file}`;
  try {
    const alone = await metricsOptions(parseFlags([manifest]).values);
    expect(alone.allowedLabels).toEqual({ 'metric1,label1': ['v1', 'v2'] });
    const both = await metricsOptions(parseFlags([manifest, '--allow-metric-labels=metric2,label2=a,b']).values);
    expect(both.allowedLabels).toEqual({ 'metric2,label2': ['a', 'b'] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
