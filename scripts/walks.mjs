// Counts the files and functions of src/ that run during eight walks through the server, by V8's precise coverage. Work that a process does
// once (loading, first uses) is done before, so a walk contains what every further request of its kind does.
// Usage: node scripts/walks.mjs [--checkout DIR]   (DIR contains src/; by default this checkout)
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { request } from 'node:https';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { checkout: { type: 'string', default: here } } });
const root = resolve(values.checkout);
const compiled = mkdtempSync(join(tmpdir(), 'walks-'));
const sources = join(root, 'src');
await build({
  entryPoints: readdirSync(sources, { recursive: true })
    .filter((file) => /(?<!\.d)\.ts$/.test(file))
    .map((file) => join(sources, file)),
  outbase: sources,
  outdir: join(compiled, 'src'),
  format: 'esm',
  target: 'node20.19',
});
symlinkSync(join(root, 'node_modules'), join(compiled, 'node_modules'));
symlinkSync(join(root, 'package.json'), join(compiled, 'package.json'));
const load = (path) => import(pathToFileURL(join(compiled, 'src', path)).href);

const session = new Session();
session.connect();
await session.post('Profiler.enable');

/** Runs an action and returns the numbers of files and functions of the sources that it entered. */
async function walk(action) {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage'); // what ran before does not count
  await action();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const own = result.filter(({ url }) => url.includes(`${compiled}/src/`));
  const entered = own.map(({ functions }) => functions.filter(({ ranges: [{ count }] }) => count > 0).length);
  return [entered.filter((count) => count > 0).length, entered.reduce((sum, count) => sum + count, 0)];
}

const { ApiServer, configMap } = await load('index.js');
const { listen } = await load('http/index.js');
const kinds = await load('exports/kinds.js');
const where = { namespace: 'default' };
const map = (name) => ({ metadata: { name }, data: { colour: 'red' } });
const definition = (n) => ({
  metadata: { name: `widgets.group${n}.example.com` },
  spec: {
    group: `group${n}.example.com`,
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
});

const ISSUER = 'https://issuer.example.com';
const server = new ApiServer({ serviceAccountTokens: { issuers: [ISSUER] } });
await server.start();
const client = server.client();
const listener = await listen(server, { port: 0 });
const { host, port } = listener;
const certificate = await server.issueClientCertificate({ username: 'admin', groups: ['system:masters'] });
const byCertificate = { key: certificate.key, cert: certificate.certificate };
const https = (method, path, body, headers = {}, credentials = byCertificate) =>
  new Promise((done, failed) => {
    const ca = listener.certificateAuthority;
    const options = { host, port, method, path, ca, headers, agent: false, ...credentials };
    const asked = request(options, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode));
    });
    asked.on('error', failed);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
const MAPS = '/api/v1/namespaces/default/configmaps';
const json = { 'content-type': 'application/json' };
const install = async (n) => {
  await client.create(kinds.customResourceDefinition, definition(n));
  await server.settle();
  const path = `/apis/group${n}.example.com/v1/namespaces/default/widgets`;
  const body = { apiVersion: `group${n}.example.com/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } };
  if ((await https('POST', path, body, json)) !== 201) throw new Error('the first object was not created');
};
const token = async () => {
  const request = { spec: { audiences: [ISSUER] } };
  const { status } = await client.createSubresource(kinds.serviceAccount, 'default', 'token', request, {
    namespace: 'default',
  });
  return status.token;
};

const rows = new Map();
const measured = async (name, warm, action) => {
  await warm();
  rows.set(name, await walk(action));
};
let n = 0;
const create = () => https('POST', MAPS, map(`made-${n++}`), json);
const get = () => https('GET', `${MAPS}/made-0`);
await measured('create over HTTPS', create, create);
await measured('GET', get, get);

const watch = client.watch(configMap, where);
const events = watch[Symbol.asyncIterator]();
const event = async () => {
  const next = events.next();
  await client.create(configMap, map(`seen-${n++}`), where);
  await next;
};
await measured(
  'create in process, and its watch event',
  async () => {
    for (let i = 0; i < n + 1; i++) await Promise.race([events.next(), new Promise((done) => setTimeout(done, 20))]);
    await event();
  },
  event,
);
watch.close?.();

await client.apply(configMap, map('shared'), { ...where, fieldManager: 'one' });
const conflict = () =>
  client
    .apply(configMap, { metadata: { name: 'shared' }, data: { colour: 'blue' } }, { ...where, fieldManager: 'two' })
    .then(
      () => Promise.reject(new Error('no conflict')),
      () => {},
    );
await measured('apply with a conflict', conflict, conflict);
await measured(
  'definition and first object',
  () => install(1),
  () => install(2),
);

// A token that the server has not cached yet, on a connection without a certificate, which would be tried before the token.
const asAccount = (bearer) => async () => {
  const status = await https('GET', '/api', undefined, { authorization: `Bearer ${bearer}` }, {});
  if (status !== 200) throw new Error(`the response to the token has the status ${status}`);
};
await measured('token to user', asAccount(await token()), asAccount(await token()));
await listener.close();
await server.close();

const other = () => new ApiServer().start();
await other();
let started;
await measured('start', other, async () => {
  started = new ApiServer();
  await started.start();
});
const second = new ApiServer();
await second.start();
await measured(
  'close',
  () => second.close(),
  () => started.close(),
);

console.log('| walk | files | functions |\n| --- | --- | --- |');
for (const [name, [files, functions]] of rows) console.log(`| ${name} | ${files} | ${functions} |`);
rmSync(compiled, { recursive: true, force: true });
process.exit(0);
