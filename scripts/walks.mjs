// Counts the files and functions of src/ that run during walks through the server, by V8's precise coverage. Work that a process does once
// (loading, first uses) is done before, so a walk contains what every further request of its kind does.
// Usage: node scripts/walks.mjs [--checkout DIR] [--list WALK]
//   --checkout DIR   DIR contains src/; by default this checkout
//   --list WALK      prints the functions of one walk by file, with the number of their calls, instead of the table
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { checkout: { type: 'string', default: here }, list: { type: 'string' } } });
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
const MODULE = 'cel/libraries/re2.mjs'; // the one module that is not TypeScript
if (existsSync(join(sources, MODULE))) copyFileSync(join(sources, MODULE), join(compiled, 'src', MODULE));
symlinkSync(join(root, 'node_modules'), join(compiled, 'node_modules'));
symlinkSync(join(root, 'package.json'), join(compiled, 'package.json'));
const load = (path) => import(pathToFileURL(join(compiled, 'src', path)).href);

const session = new Session();
session.connect();
await session.post('Profiler.enable');

/** Runs an action and returns the functions of the sources that it entered, by file. */
async function walk(action) {
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage'); // what ran before does not count
  await action();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const files = new Map();
  for (const { url, functions } of result) {
    if (!url.includes(`${compiled}/src/`)) continue;
    const entered = functions.filter(({ ranges: [{ count }] }) => count > 0);
    if (entered.length > 0) files.set(url.slice(url.indexOf('/src/') + 1).replace(/js$/, 'ts'), entered);
  }
  return files;
}

const { ApiServer, configMap } = await load('index.js');
const { listen } = await load('http/index.js');
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
const { host, port, certificateAuthority: ca } = listener;
const certificate = await server.issueClientCertificate({ username: 'admin', groups: ['system:masters'] });
const byCertificate = { key: certificate.key, cert: certificate.certificate };
/** Sends a request, on a connection of its own unless an agent is given, and returns the status and the body of the response. */
const https = (method, path, body, { headers = {}, credentials = byCertificate, agent = false } = {}) =>
  new Promise((done, failed) => {
    const asked = request({ host, port, method, path, ca, headers, agent, ...credentials }, async (answer) => {
      const parts = await answer.toArray();
      done({ status: answer.statusCode, text: Buffer.concat(parts).toString() });
    });
    asked.on('error', failed);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
const expect = async (expected, response) => {
  const { status, text } = await response;
  if (status !== expected) throw new Error(`the response has the status ${status}: ${text}`);
  return text;
};
const MAPS = '/api/v1/namespaces/default/configmaps';
const json = { headers: { 'content-type': 'application/json' } };
const API = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
const define = async (n, options) => {
  await expect(201, https('POST', API, definition(n), { ...json, ...options }));
  await server.settle();
};
const firstObject = (n, options) => {
  const path = `/apis/group${n}.example.com/v1/namespaces/default/widgets`;
  const body = { apiVersion: `group${n}.example.com/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } };
  return expect(201, https('POST', path, body, { ...json, ...options }));
};
const token = async () => {
  const spec = { audiences: [ISSUER] };
  const path = '/api/v1/namespaces/default/serviceaccounts/default/token';
  return JSON.parse(await expect(201, https('POST', path, { spec }, json))).status.token;
};

const rows = new Map();
const measured = async (name, warm, action) => {
  await warm();
  rows.set(name, await walk(action));
};
let n = 0;
const create = (options) => () => expect(201, https('POST', MAPS, map(`made-${n++}`), { ...json, ...options }));
const get = (options) => () => expect(200, https('GET', `${MAPS}/made-0`, undefined, options));
await measured('create over HTTPS, with its connection', create(), create());
await measured('GET over HTTPS, with its connection', get(), get());
const kept = { agent: new Agent({ keepAlive: true, maxSockets: 1 }) };
await measured('create over HTTPS', create(kept), create(kept));
await measured('GET over HTTPS', get(kept), get(kept));

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
await measured('apply with a conflict, in process', conflict, conflict);
const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shared' }, data: { colour: 'blue' } };
const apply = { headers: { 'content-type': 'application/apply-patch+yaml' }, ...kept };
const conflictOverHttps = () => expect(409, https('PATCH', `${MAPS}/shared?fieldManager=two`, applied, apply));
await measured('apply with a conflict over HTTPS', conflictOverHttps, conflictOverHttps);
const defined = (n, options) => () => define(n, options);
await measured('a definition over HTTPS, until it is served', defined(1, kept), defined(2, kept));
const created = (n, options) => () => firstObject(n, options);
await measured('its first object over HTTPS', created(1, kept), created(2, kept));
const installed = (n) => () => define(n).then(created(n));
await measured('both, with their connections', installed(3), installed(4));

// A token that the server has not cached yet, on a connection without a certificate, which would be tried before the token.
const asAccount = (bearer, options) => () => {
  const headers = { authorization: `Bearer ${bearer}` };
  return expect(200, https('GET', '/api', undefined, { headers, credentials: {}, ...options }));
};
await measured('a token over HTTPS, with its connection', asAccount(await token()), asAccount(await token()));
const other = { agent: new Agent({ keepAlive: true, maxSockets: 1 }) };
await measured('a token over HTTPS', asAccount(await token(), other), asAccount(await token(), other));
kept.agent.destroy();
other.agent.destroy();
await listener.close();
await server.close();
await new Promise((done) => setTimeout(done, 500)); // connections that have just served a request end a little later

let started;
const starting = () => new ApiServer().start();
await starting();
await measured('start', starting, async () => {
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

if (values.list === undefined) {
  console.log('| walk | files | functions |\n| --- | --- | --- |');
  for (const [name, files] of rows)
    console.log(
      `| ${name} | ${files.size} | ${[...files.values()].reduce((sum, entered) => sum + entered.length, 0)} |`,
    );
} else {
  const files = rows.get(values.list);
  if (files === undefined) throw new Error(`there is no such walk; the walks are: ${[...rows.keys()].join('; ')}`);
  for (const [file, entered] of files)
    for (const { functionName, ranges } of entered)
      console.log(`${file}: ${functionName || '(anonymous)'} ${ranges[0].count}`);
}
rmSync(compiled, { recursive: true, force: true });
process.exit(0);
