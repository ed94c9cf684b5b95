import { expect, it } from 'vitest';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import type { AdmissionPluginFactory } from '../../src/exports/admission.js';
import type { AuthenticatorFactory } from '../../src/exports/authentication.js';
import { ApiServer, configMap } from '../../src/index.js';
import { createFakeClock } from '../../src/testing/index.js';

/** Admission that never comes back from updates of objects called `stuck`; `entered` is called when it is asked. */
const stuck =
  (entered: () => void): AdmissionPluginFactory =>
  () => ({
    name: 'stuck',
    handles: ({ operation, name }) => operation === 'UPDATE' && name === 'stuck',
    validate() {
      entered();
      return new Promise<void>(() => {});
    },
  });
const admin: AuthenticatorFactory = () => ({
  name: 'admin',
  authenticate: () => ({
    outcome: 'authenticated',
    authenticator: 'admin',
    user: { username: 'admin', groups: ['system:masters'] },
  }),
});

it.each([
  ['', 60_000],
  ['?timeout=5s', 5_000],
  ['?timeout=1h', 60_000],
  ['?timeout=0', 60_000],
])('an update with "%s" ends after %d ms', async (query, limit) => {
  const clock = createFakeClock();
  let entered = () => {};
  const inAdmission = new Promise<void>((resolve) => (entered = resolve));
  const admission: ApiServerOptions['admission'] = (defaults) => [...defaults, stuck(entered)];
  const server = new ApiServer({ clock, admission, authentication: [admin] });
  await server.start();
  await server.client().create(configMap, { metadata: { name: 'stuck' } }, { namespace: 'default' });
  let answer: Response | undefined;
  const request = new Request(`https://server/api/v1/namespaces/default/configmaps/stuck${query}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: '{"data":{"a":"b"}}',
  });
  const answered = server.fetch(request).then((response) => {
    answer = response;
  });
  await inAdmission;
  clock.advance(limit - 1);
  // Another request has the time to be answered whole.
  expect((await server.fetch(new Request('https://server/version'))).status).toBe(200);
  expect(answer).toBeUndefined();
  clock.advance(1);
  await answered;
  expect(answer?.status).toBe(504);
  expect(await answer?.json()).toMatchObject({ reason: 'Timeout', code: 504 });
  await server.close();
});
