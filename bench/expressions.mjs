import { execFileSync } from 'node:child_process';
import { parse as bufParse, celEnv, plan } from '@bufbuild/cel';
import { Environment } from '@marcbachmann/cel-js';
import * as cel from '../dist/cel/index.js';
import { RULES } from './cel-rules.mjs';
import { median, row } from './measure.mjs';

/** Expressions compared with the engines on npm: evaluation, compilation, loading. */
export default async function measure() {
  const rows = [];
  const quotients = { 'cel-js': [], bufbuild: [] };
  for (const one of RULES) {
    const contenders = { own: own(one), 'cel-js': celJs(one), bufbuild: bufbuild(one) };
    const times = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
    for (let round = 0; round < 12; round++) {
      for (const [name, call] of Object.entries(contenders)) {
        const time = nanoseconds(call);
        if (round > 0) times[name].push(time);
      }
    }
    for (const name of Object.keys(quotients)) {
      // Other work on the machine makes an engine slower, never faster.
      quotients[name].push(Math.min(...times[name]) / Math.min(...times.own));
    }
    if (process.env.VERBOSE) {
      console.log(
        one.name,
        Object.entries(times)
          .map(([name, all]) => `${name} ${median(all).toFixed(0)}`)
          .join(', '),
      );
    }
  }
  for (const [name, target] of [
    ['cel-js', 3],
    ['bufbuild', 15],
  ]) {
    rows.push(
      row({
        topic: `ten rules, evaluated: against ${name}`,
        measured: median(quotients[name]),
        target,
        better: 'more',
        detail: quotients[name].map((quotient) => quotient.toFixed(1)).join(' '),
      }),
    );
  }
  rows.push(preparation(), loading());
  return rows;
}

/** Returns the processor time of an evaluation. Throws if the rule is not true, so that no engine is fast because it fails. */
function nanoseconds(call) {
  if (call() !== true) throw new Error('the rule does not hold');
  const start = performance.now();
  const before = process.cpuUsage();
  let calls = 0;
  while (performance.now() - start < 20) {
    for (let i = 0; i < 200; i++) call();
    calls += 200;
  }
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / calls) * 1000;
}

const schemaOf = (field) => {
  if (field.type === 'list') return { type: 'list', items: schemaOf(field.items) };
  if (field.type !== 'object') return field;
  return {
    type: 'object',
    properties: new Map(Object.entries(field.fields).map(([name, value]) => [name, { schema: schemaOf(value) }])),
  };
};

function prepared({ fields, rule }) {
  const schema = schemaOf({ type: 'object', fields });
  const place = cel.schemaType(schema, { name: 'self' });
  const environment = cel.createEnvironment({
    libraries: cel.kubernetesLibraries(31),
    costs: cel.KUBERNETES_COSTS,
    variables: [{ name: 'self', type: place.type }],
  });
  const prepare = () => cel.compile(environment, cel.check(environment, environment.parse(rule)));
  return { prepare, adapt: place.read };
}

function own(one) {
  const { prepare, adapt } = prepared(one);
  const program = prepare();
  return () => program.evaluate({ self: adapt(one.self) }).outcome;
}

/** Both other engines represent ints as bigints only. */
const withBigints = (value) => {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(withBigints);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withBigints(member)]));
};

function celJs(one) {
  const expression = new Environment().registerVariable('self', 'dyn').parse(one.rule);
  const self = withBigints(one.self);
  return () => expression({ self });
}

function bufbuild(one) {
  const expression = plan(celEnv(), bufParse(one.rule));
  const self = withBigints(one.self);
  return () => expression({ self });
}

function preparation() {
  const one = RULES.find(({ rule }) => rule.length >= 180);
  const { prepare } = prepared(one);
  const times = [];
  for (let i = 0; i < 300; i++) {
    const start = performance.now();
    prepare();
    if (i >= 100) times.push((performance.now() - start) * 1000);
  }
  return row({
    topic: `a rule of ${one.rule.length} characters, parsed, checked and compiled`,
    measured: median(times),
    target: 300,
    better: 'less',
    unit: 'µs',
  });
}

/**
 * Returns the processor time of an import beyond that of an empty module: the minimum of several processes, which alternate. A program that
 * imports the engine is a module itself, so the time of an empty one does not count.
 */
function loading() {
  const empty = './bench/support/empty.mjs';
  const engine = './dist/cel/index.js';
  const least = { [empty]: Number.POSITIVE_INFINITY, [engine]: Number.POSITIVE_INFINITY };
  for (let i = 0; i < 15; i++) {
    for (const name of [empty, engine]) least[name] = Math.min(least[name], processorTimeOf(name));
  }
  return row({
    topic: 'loading the module, processor time',
    measured: least[engine] - least[empty],
    target: 15,
    better: 'less',
    unit: 'ms',
  });
}

function processorTimeOf(name) {
  const code = `const t = process.cpuUsage(); await import('${name}'); const c = process.cpuUsage(t); console.log((c.user + c.system) / 1000)`;
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }));
}
