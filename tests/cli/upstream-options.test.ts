import { expect, it } from 'vitest';
import { checkFlags } from '../../src/cli/check-flags.js';
import { parseFlags } from '../../src/cli/parse-flags.js';

/** What a program that is started with flags says of them; '' where it starts. */
const said = (...flags: readonly string[]) => checkFlags(parseFlags(['--dialect=k8s', ...flags])).join('\n');

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

it('directives of transport security that are known are taken', () => {
  expect(said('--strict-transport-security-directives=max-age=31536000,includeSubDomains,preload')).toBe('');
});

it.each([
  ...['^http://foo.com$', '^http://foo.com', '://foo.com$', '//foo.com$', '^http://foo.com(:|$)', '://foo.com(:|$)'],
  ...['//foo.com(:|$)', '(^foo.com$)', '^http://foo.com$,//bar.com(:|$)'],
])('the origins %s are held at both ends', (origins) => {
  expect(said(`--cors-allowed-origins=${origins}`)).toBe('');
});

it.each([
  ['^foo.com', 'regular expression does not pin to start/end of host in the origin header'],
  ['//foo.com', 'regular expression does not pin to start/end of host in the origin header'],
  ['foo.com$', 'regular expression does not pin to start/end of host in the origin header'],
  ['foo.com(:|$)', 'regular expression does not pin to start/end of host in the origin header'],
  ['^http://foo.com$,^foo.com', 'regular expression does not pin to start/end of host in the origin header'],
  ['^http://foo.com$,', 'empty value in --cors-allowed-origins'],
])('the origins %s are not', (origins, message) => {
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
])('priority and fairness with --runtime-config=%s', (config, off) => {
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
])('audit by %j', (flags, message) => {
  expect(said(...flags)).toBe(message);
});
