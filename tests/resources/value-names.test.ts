import { describe, expect, it } from 'vitest';
import { wildcardSubdomain } from '../../src/meta/names.js';
import { validateIntOrPercent } from '../../src/resources/shared/int-or-percent.js';
import { validateAddress, validateRange } from '../../src/resources/shared/ip-address.js';
import { portName, portNumber } from '../../src/resources/shared/value-rules.js';
import { familyOf, parseAddress } from '../../src/values/ip-address.js';
import { ask } from '../support/ask.js';
import { openSuiteServer } from '../support/servers.js';
import { cases, hasSharedData } from '../support/shared-data.js';

/** Returns the errors of a rule about a value. */
type Rule = (value: never) => readonly unknown[];

describe.skipIf(!hasSharedData)(
  "names and numbers in kinds: the upstream's tables (skipped where they are absent)",
  () => {
    const rules: [string, Rule][] = [
      ['TestIsValidPortName', portName],
      ['TestIsValidPortNum', (port: number) => portNumber('port', port)],
      ['TestIsWildcardDNS1123Subdomain', wildcardSubdomain],
      // A number is a count, not a percentage, so the table has it among the invalid percentages.
      ['TestIsValidPercent', (text: string) => validateIntOrPercent('share', text)],
    ];
    it.each(rules)('%s', (test, rule) => {
      for (const value of cases<never[]>('meta-names', test, 'goodValues')) expect(rule(value), value).toEqual([]);
      for (const value of cases<never[]>('meta-names', test, 'badValues')) expect(rule(value), value).not.toEqual([]);
    });

    interface Range {
      readonly in: string;
      readonly family?: number;
      readonly err?: string;
    }
    it('addresses', () => {
      for (const { in: text, family, err } of cases<Range[]>('meta-names', 'TestIsValidIP', 'range')) {
        const address = parseAddress(text);
        expect(address && familyOf(address), text).toBe(err ? undefined : `IPv${family}`);
        expect(validateAddress('ip', text).length > 0, text).toBe(err !== undefined);
      }
    });
    it('ranges of addresses', () => {
      for (const { in: text, err } of cases<Range[]>('meta-names', 'TestIsValidCIDR', 'range'))
        expect(validateRange('cidr', text).length > 0, text).toBe(err !== undefined);
    });

    describe('as requests', () => {
      const server = openSuiteServer();

      const probe = (name: string) => ({ httpGet: { port: 80, httpHeaders: [{ name, value: 'v' }] } });
      const container = (more: object) => ({
        template: { spec: { containers: [{ name: 'c', image: 'i', ...more }] } },
      });
      const webhook = (name: string) => ({
        webhooks: [{ name, clientConfig: { url: 'https://a' }, sideEffects: 'None', admissionReviewVersions: ['v1'] }],
      });
      const kinds: [string, string, string, (name: string) => object][] = [
        [
          'TestIsHTTPHeaderName',
          '/api/v1/namespaces/default/podtemplates',
          'httpHeaders',
          (name) => container({ livenessProbe: probe(name) }),
        ],
        [
          'TestIsDomainPrefixedPath',
          '/apis/networking.k8s.io/v1/ingressclasses',
          'spec.controller',
          (controller) => ({ spec: { controller } }),
        ],
        [
          'TestIsFullyQualifiedName',
          '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
          'webhooks[0].name',
          webhook,
        ],
      ];
      it.each(kinds)('%s', async (test, path, field, body) => {
        for (const table of ['goodValues', 'badValues'])
          for (const value of cases<string[]>('meta-names', test, table)) {
            const object = { metadata: { name: 'a' }, ...body(value) };
            const { status, message } = await ask(server, { method: 'POST', path, query: 'dryRun=All', body: object });
            expect([value, status], message).toEqual([value, table === 'goodValues' ? 201 : 422]);
            if (status === 422) expect(message).toContain(field);
          }
      });
    });
  },
);
