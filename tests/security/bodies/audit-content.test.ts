import { describe, expect, it } from 'vitest';
import type { AuditEvent, AuditLevel } from '../../../src/audit/audit-event.js';
import type { JsonValue } from '../../../src/json/value.js';
import { dialectOf, groupOf } from '../../../src/meta/dialect.js';
import { requestsTo } from '../../support/ask.js';
import { closeAfterTest, openServer } from '../../support/servers.js';

const STORED = Buffer.from('the stored password').toString('base64');
const SENT = 'the-sent-password';
const JSON_PATCH = 'application/json-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

/** Bodies whose refusal quotes the object: the content type, the body and the query. */
const REFUSED_PATCHES: Readonly<Record<string, readonly [type: string | undefined, body: JsonValue, query?: string]>> =
  {
    'a merge patch with data that is not base64': [undefined, { data: { b: `${SENT}!` } }],
    'a merge patch with a misspelled field': [undefined, { dta: { b: SENT } }, 'fieldValidation=Strict'],
    'a JSON patch with a value of another type': [JSON_PATCH, [{ op: 'add', path: '/data/b', value: [SENT] }]],
    'a strategic merge patch with a value of another type': [STRATEGIC, { data: { b: [SENT] } }],
    'a strategic merge patch with a misspelled field': [STRATEGIC, { dta: { b: SENT } }, 'fieldValidation=Strict'],
    'an apply with a value of another type': [
      APPLY,
      { apiVersion: 'v1', kind: 'Secret', data: [SENT] },
      'fieldManager=m&force=true',
    ],
  };

for (const dialect of ['k8s', 'orch'] as const)
  describe(`the message of a refusal in audit events (${dialect})`, () => {
    async function start(level: AuditLevel) {
      const events: AuditEvent[] = [];
      const audit = {
        policy: { rules: [{ level }] },
        sinks: [
          {
            mode: 'blocking' as const,
            write: (records: readonly { event: AuditEvent }[]) =>
              void events.push(...records.map(({ event }) => event)),
          },
        ],
      };
      const server = closeAfterTest(await openServer({ dialect, audit }));
      const requests = requestsTo(server);
      await requests.post('/api/v1/namespaces/default/secrets', { metadata: { name: 's' }, data: { a: STORED } });
      return { server, requests, events };
    }

    for (const [name, [type, body, query = '']] of Object.entries(REFUSED_PATCHES))
      it(`does not contain the Secret after ${name}`, async () => {
        for (const level of ['Metadata', 'Request', 'RequestResponse'] as const) {
          const { requests, events } = await start(level);
          events.length = 0;
          const path = `/api/v1/namespaces/default/secrets/s?${query}`;
          const { status, text } = await requests.send('PATCH', path, body as object, {
            type: type ?? 'application/merge-patch+json',
          });
          expect(status).toBeGreaterThanOrEqual(400);
          // The caller receives what upstream sends.
          expect(text).toMatch(new RegExp(`${STORED}|${SENT}`));
          const answered = events.filter(({ stage }) => stage === 'ResponseComplete');
          expect(answered).toHaveLength(1);
          const message = String(answered[0]?.responseStatus?.message);
          if (level === 'RequestResponse') {
            expect(text).toContain(JSON.stringify(message).slice(1, -1).replaceAll('&', '\\u0026'));
            continue;
          }
          expect(message).toContain('<redacted>');
          expect(JSON.stringify(answered)).not.toContain(STORED);
          expect(JSON.stringify(answered[0]?.responseStatus)).not.toContain(SENT);
        }
      });

    it('does not contain a custom resource without kind', async () => {
      const { server, requests, events } = await start('Metadata');
      const group = groupOf(dialectOf(dialect), 'apiextensions');
      await requests.post(`/apis/${group}/v1/customresourcedefinitions`, {
        metadata: { name: 'widgets.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Cluster',
          names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  'x-kubernetes-preserve-unknown-fields': true,
                  'x-orch-preserve-unknown-fields': true,
                },
              },
            },
          ],
        },
      });
      await server.settle();
      const path = '/apis/example.com/v1/widgets';
      const stored = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, password: STORED };
      expect((await requests.post(path, stored)).status).toBe(201);
      events.length = 0;
      const answers = [
        await requests.post(path, { metadata: { name: 'v' }, password: SENT }),
        await requests.post(`${path}?fieldValidation=Ignore`, { metadata: { name: 'v' }, password: SENT }),
        await requests.merge(`${path}/w`, { kind: null }),
      ];
      for (const { status, text } of answers) {
        expect(status).toBeGreaterThanOrEqual(400);
        expect(text).toMatch(new RegExp(`${STORED}|${SENT}`));
      }
      expect(JSON.stringify(events)).not.toMatch(new RegExp(`${STORED}|${SENT}`));
      expect(events.filter(({ responseStatus }) => responseStatus?.message?.includes('<redacted>'))).toHaveLength(3);
    });
  });
