import { expect, it } from 'vitest';
import {
  ApiError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isTooManyRequests,
} from '../../src/meta/api-error.js';
import type { Status } from '../../src/meta/status.js';

const failure = (status: Partial<Status>) =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...status });

it.each([
  ['NotFound', isNotFound, 404],
  ['Conflict', isConflict, 409],
  ['Invalid', isInvalid, 422],
  ['Forbidden', isForbidden, 403],
  ['TooManyRequests', isTooManyRequests, 429],
] as const)('a failure is %s by its reason, or by its code where it has no reason', (reason, is, code) => {
  expect(is(failure({ reason, code: 500 }))).toBe(true);
  expect(is(failure({ code }))).toBe(true);
  expect(is(failure({ code: 500 }))).toBe(false);
  expect(is(failure({ reason: 'Timeout', code }))).toBe(false);
});

it.each([
  [isAlreadyExists, 409],
  [isExpired, 410],
] as const)('other failures have no code of their own', (is, code) => expect(is(failure({ code }))).toBe(false));
