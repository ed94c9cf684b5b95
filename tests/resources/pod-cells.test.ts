import { describe, expect, it } from 'vitest';
import { pod } from '../../src/exports/kinds.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import type { ResourceDefinition } from '../../src/registry/resource-definition.js';
import { readBody, row } from './steps.js';

/*
 * Cells of tables for objects in unusual states, from upstream's tables of cells.
 */
const NOW = Date.parse('2026-01-01T00:10:00Z');
const metadata = { name: 'a', creationTimestamp: '2026-01-01T00:00:00Z' };
const GOING = { ...metadata, deletionTimestamp: '2026-01-01T00:09:00Z' };

/** The cells between name and age. */
function cells<T extends ApiObject>(definition: ResourceDefinition<T>, body: object, wide = false) {
  return row(definition, readBody(definition, { metadata, ...body }), NOW, wide).slice(1);
}

const running = { running: { startedAt: null } };
const ended = (more: object = {}) => ({ terminated: { exitCode: 0, startedAt: null, finishedAt: null, ...more } });
const waiting = (reason?: string) => ({ waiting: { ...(reason === undefined ? {} : { reason }) } });
const restarted = (finishedAt: string) => ended({ finishedAt });
const state = (name: string, more: object) => ({
  name,
  ready: false,
  restartCount: 0,
  image: '',
  imageID: '',
  state: {},
  lastState: {},
  ...more,
});
const phase = 'podPhase';
const c = (name: string) => ({ name, image: 'i' });
const always = (name: string) => ({ ...c(name), restartPolicy: 'Always' });
const condition = (type: string, status = 'True') => ({ type, status });

describe('pods', () => {
  const one = { containers: [c('m')] };
  const two = { containers: [c('m'), c('n')] };
  const of = (spec: object, status: object, meta: object = metadata) =>
    cells(pod, { metadata: meta, spec, status: { phase, ...status } })
      .slice(0, 3)
      .join(' | ');
  const mains = (...containerStatuses: object[]) => ({ containerStatuses });
  const inits = (...initContainerStatuses: object[]) => ({ initContainerStatuses });
  const ready = (name: string, restartCount = 0) => state(name, { ready: true, restartCount, state: running });
  const init = { ...one, initContainers: [c('i'), c('j'), c('k')] };
  const staying = { ...one, initContainers: [always('i'), always('j')] };
  const up = (name: string, more: object = {}) => state(name, { started: true, ready: true, state: running, ...more });

  it.each<readonly [expected: string, shown: string]>([
    ['1/2 | podPhase | 6', of(two, mains(ready('m', 3), state('n', { restartCount: 3 })))],
    ['1/2 | Waiting | 6', of(two, mains(state('m', { state: waiting('Waiting'), restartCount: 3 }), ready('n', 3)))],
    ['1/2 | podPhase | 6', of(two, mains(state('m', { state: waiting(), restartCount: 3 }), ready('n', 3)))],
    [
      '1/2 | Terminated | 6',
      of(two, mains(state('m', { state: ended({ reason: 'Terminated' }), restartCount: 3 }), ready('n', 3))),
    ],
    ['1/2 | Signal:9 | 0', of(two, mains(state('m', { state: ended({ signal: 9 }) }), ready('n')))],
    ['1/2 | ExitCode:0 | 0', of(two, mains(state('m', { state: ended() }), ready('n')))],
    // The first of two reasons is printed.
    ['0/2 | A | 0', of(two, mains(state('m', { state: waiting('A') }), state('n', { state: waiting('B') })))],
    // A container that has finished, or waits for a reason, is not ready, whatever its status says.
    ['0/1 | Oops | 0', of(one, mains(state('m', { ready: true, state: { ...running, ...waiting('Oops') } })))],
    ['0/1 | OutOfMemory | 0', of(one, { reason: 'OutOfMemory' })],
    [
      '1/2 | Running | 0',
      of(two, {
        ...mains(state('m', { state: ended({ reason: 'Completed' }) }), ready('n')),
        conditions: [condition('Ready')],
      }),
    ],
    [
      '1/2 | NotReady | 0',
      of(two, {
        ...mains(state('m', { state: ended({ reason: 'Completed' }) }), ready('n')),
        conditions: [condition('Ready', 'False')],
      }),
    ],
    ['0/1 | Completed | 0', of(one, mains(state('m', { state: ended({ reason: 'Completed' }) })))],
    ['0/1 | Terminating | 0', of(one, {}, GOING)],
    ['0/1 | Unknown | 0', of(one, { reason: 'NodeLost' }, GOING)],
    ['0/1 | Succeeded | 0', of(one, { phase: 'Succeeded' }, GOING)],
    ['0/1 | Failed | 0', of(one, { phase: 'Failed' }, GOING)],
    [
      '0/1 | SchedulingGated | 0',
      of(one, { conditions: [{ ...condition('PodScheduled', 'False'), reason: 'SchedulingGated' }] }),
    ],
    [
      '0/1 | podPhase | 3 (5m ago)',
      of(one, mains(state('m', { restartCount: 3, lastState: restarted('2026-01-01T00:05:00Z') }))),
    ],
    ['0/1 | podPhase | 0', of(one, mains(state('m', { lastState: restarted('2026-01-01T00:05:00Z') })))],
    // The main containers have not started yet.
    ['0/1 | Init:0/3 | 0', of(init, inits(state('i', { state: running }), state('j', {})))],
    [
      '0/1 | Init:1/3 | 2',
      of(init, inits(state('i', { state: ended(), restartCount: 2 }), state('j', { state: running }))),
    ],
    [
      '0/1 | Init:1/3 | 0',
      of(init, inits(state('i', { state: ended() }), state('j', { state: waiting('PodInitializing') }))),
    ],
    ['0/1 | Init:ImagePullBackOff | 0', of(init, inits(state('i', { state: waiting('ImagePullBackOff') })))],
    ['0/1 | Init:ExitCode:7 | 0', of(init, inits(state('i', { state: ended({ exitCode: 7 }) })))],
    ['0/1 | Init:Signal:9 | 0', of(init, inits(state('i', { state: ended({ exitCode: 137, signal: 9 }) })))],
    [
      '0/1 | podPhase | 0',
      of(init, inits(...['i', 'j', 'k'].map((name) => state(name, { state: ended(), restartCount: 4 })))),
    ],
    // Containers behind the one that is waited for do not count yet.
    [
      '0/1 | Init:0/3 | 1',
      of(init, inits(state('i', { state: running, restartCount: 1 }), state('j', { restartCount: 5 }))),
    ],
    // After the initialization, a restarted init container does not hide the state of the others.
    [
      '1/1 | Init:0/3 | 2',
      of(init, {
        ...inits(state('i', { state: running, restartCount: 7 })),
        ...mains(ready('m', 2)),
        conditions: [condition('Initialized')],
      }),
    ],
    // Init containers that are restarted always count as well.
    [
      '0/3 | Init:0/2 | 3',
      of(staying, inits(state('i', { restartCount: 3, state: running, started: false }), state('j', {}))),
    ],
    [
      '0/3 | Init:1/2 | 3',
      of(staying, inits(up('i', { ready: false, restartCount: 3 }), state('j', { state: waiting() }))),
    ],
    [
      '1/3 | Init:1/2 | 3',
      of(staying, inits(up('i', { restartCount: 3 }), state('j', { state: running, started: false }))),
    ],
    [
      '1/3 | Init:0/2 | 0',
      of(staying, {
        ...inits(state('i', { state: running }), up('j')),
        ...mains(ready('m')),
        conditions: [condition('Initialized')],
      }),
    ],
    [
      '2/3 | podPhase | 7',
      of(staying, { ...inits(up('i', { restartCount: 3 }), up('j', { ready: false })), ...mains(ready('m', 4)) }),
    ],
    [
      '3/3 | podPhase | 7 (1m ago)'.replace('1m', '60s'),
      of(staying, {
        ...inits(up('i', { restartCount: 3, lastState: restarted('2026-01-01T00:09:00Z') }), up('j')),
        ...mains(
          state('m', { ready: true, state: running, restartCount: 4, lastState: restarted('2026-01-01T00:05:00Z') }),
        ),
      }),
    ],
    [
      '0/3 | Completed | 0',
      of(staying, {
        ...inits(state('i', { state: ended() }), state('j', { state: ended() })),
        ...mains(state('m', { state: ended({ reason: 'Completed' }) })),
      }),
    ],
  ])('%s', (expected, shown) => {
    expect(shown).toBe(expected);
  });

  it('print addresses, nodes and readiness gates in a wide table', () => {
    const wide = (spec: object, status: object) => cells(pod, { spec: { ...one, ...spec }, status }, true).slice(4);
    expect(wide({}, {})).toEqual(['<none>', '<none>', '<none>', '<none>']);
    const ips = { podIPs: [{ ip: '10.0.0.1' }, { ip: '2001:db8::1' }], nominatedNodeName: 'n2' };
    expect(wide({ nodeName: 'n1' }, ips)).toEqual(['10.0.0.1', 'n1', 'n2', '<none>']);
    const gates = { readinessGates: ['x', 'y', 'z'].map((name) => ({ conditionType: name })) };
    expect(wide(gates, { conditions: [condition('x'), condition('y', 'False')] })[3]).toBe('1/3');
    expect(wide(gates, {})[3]).toBe('0/3');
  });
});
