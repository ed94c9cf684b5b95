import { expect, it } from 'vitest';
import {
  CALL_LIMIT,
  ESTIMATE_LIMIT,
  MATCH_LIMIT,
  MESSAGE_LIMIT,
  REQUEST_LIMIT,
  SCHEMA_ESTIMATE_LIMIT,
} from '../../../src/cel/contexts/limits.js';

it('expressions have the cost limits of spec 18.8', () => {
  expect({ CALL_LIMIT, REQUEST_LIMIT, MATCH_LIMIT, ESTIMATE_LIMIT, SCHEMA_ESTIMATE_LIMIT, MESSAGE_LIMIT }).toEqual({
    CALL_LIMIT: 1_000_000,
    REQUEST_LIMIT: 10_000_000,
    MATCH_LIMIT: 2_500_000,
    ESTIMATE_LIMIT: 10_000_000,
    SCHEMA_ESTIMATE_LIMIT: 100_000_000,
    MESSAGE_LIMIT: 5120,
  });
});
