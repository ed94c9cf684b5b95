import { afterEach, beforeEach, expect, it } from 'vitest';
import { ApiServer } from '../../../src/index.js';
import { controlOrder, type Faults, injectFaults, recordRequests } from '../../../src/testing/index.js';
import { TestServer } from '../../../src/testing/servers.js';

let server: ApiServer;
let faults: Faults;
beforeEach(() => {
  server = new ApiServer({ dialect: 'k8s' });
  faults = injectFaults(server);
});
afterEach(() => server.close());

/** Passes a value of any type, as a caller in JavaScript can. */
const given = <T>(value: unknown) => value as T;

it.each<[name: string, call: (faults: Faults) => unknown, message: string]>([
  ['a misspelled verb', (f) => f.on({ verb: 'updat' }).conflict(), 'unknown verb "updat"; did you mean "update"?'],
  ['a method', (f) => f.on({ verb: 'PUT' }).conflict(), 'unknown verb "PUT"; did you mean "update"?'],
  ['a verb in capitals', (f) => f.on({ verb: 'GET' }).conflict(), 'unknown verb "GET"; did you mean "get"?'],
  [
    'a prefix that no verb has',
    (f) => f.on({ verb: ['get', 'x*'] }).conflict(),
    'unknown verb "x*"; the verbs are get, list',
  ],
  ['a star in the middle', (f) => f.on({ name: 'a*b' }).conflict(), 'match.name: "a*b" has a * before its end'],
  [
    'a matcher among the options of on',
    (f) => f.on({}, given({ match: {} })).conflict(),
    'on: there is no option match',
  ],
  ['null as options of on', (f) => f.on({}, given(null)).conflict(), 'on: the options must be an object'],
  [
    'a type among the options of answer',
    (f) => f.on({}).answer(429, given({ type: 'hold' })),
    'answer: there is no option type',
  ],
  [
    'a status among the options of answer',
    (f) => f.on({}).answer(429, given({ status: 500 })),
    'answer: there is no option status',
  ],
  ['null as options of answer', (f) => f.on({}).answer(429, given(null)), 'answer: the options must be an object'],
  [
    'null as options of endWatch',
    (f) => f.on({}).endWatch('lost', given(null)),
    'endWatch: the options must be an object',
  ],
  [
    'a string as number of versions',
    (f) => f.on({}).stale(given('5')),
    'the action stale: versions must be an integer of at least 1',
  ],
  ['null as options of stale', (f) => f.on({}).stale(given(null)), 'stale: the options must be an object'],
  ['nth for openWatches', (f) => f.openWatches({ nth: 1 }), 'openWatches: watches cannot be matched by nth'],
  [
    'an unknown member for openWatches',
    (f) => f.openWatches(given({ kind: 'Pod' })),
    'openWatches: match: there is no option kind',
  ],
])('refuses %s', (_name, call, message) => {
  expect(() => call(faults)).toThrow(expect.objectContaining({ name: 'TypeError' }) as Error);
  expect(() => call(faults)).toThrow(message);
  expect(faults.list()).toEqual([]);
});

it('accepts methods of non-resource paths, and prefixes of verbs', () => {
  faults.on({ verb: ['delete*', 'post', '*'] }, { optional: true }).conflict();
  expect(faults.list()).toHaveLength(1);
});

it.each([
  ['injectFaults', injectFaults],
  ['controlOrder', controlOrder],
  ['recordRequests', recordRequests],
])('names what %s requires', async (name, call) => {
  for (const value of [undefined, null, 'x', {}])
    expect(() => call(given(value))).toThrow(`${name}: the argument must be a server, such as new ApiServer()`);
  expect(() => call(given(new TestServer(server)))).toThrow('such as new ApiServer(): give its member "server"');
  faults[Symbol.dispose]();
  expect(() => call(server, given({ sede: 1 }))).toThrow(`${name}: there is no option sede`);
  expect(() => call(server, given(null))).toThrow(`${name}: the options must be an object`);
  if (name !== 'recordRequests') expect(() => call(server, given({ seed: 'x' }))).toThrow(`${name}: the seed must be`);
  await server.close();
  expect(() => call(server)).toThrow('the server is closed: create a new one');
});
