import { expect, it } from 'vitest';
import { FaultBuilder } from '../../../src/testing/faults/fault-builder.js';
import { FAULT_STATUSES } from '../../../src/testing/faults/fault-spec.js';
import { guideFaults } from './guide-column.js';

const named = guideFaults.join(' ');

it('the guide has a row for every fault', () => {
  const faults = Object.getOwnPropertyNames(FaultBuilder.prototype).filter((name) => name !== 'constructor');
  expect(faults.filter((fault) => !named.includes(`\`${fault}`))).toEqual([]);
});

it('the guide has a row for every status', () => {
  const answers = FAULT_STATUSES.filter((status) => status !== 409); // The status 409 has its own method, `conflict()`.
  expect(answers.filter((status) => !named.includes(`answer(${status})`))).toEqual([]);
});
