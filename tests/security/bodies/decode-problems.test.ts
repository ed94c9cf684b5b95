import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../../src/json/decode-error.js';
import { decodeProblem } from '../../../src/requests/bodies/body.js';

describe('what is caught as a fault of a body', () => {
  it('is what decoding refuses', () => {
    expect(decodeProblem(new DecodeError('a'))).toBe('a');
  });
  it('is no fault of ours', () => {
    for (const fault of [new TypeError('a'), new RangeError('b'), 'c']) {
      let thrown: unknown;
      try {
        decodeProblem(fault);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBe(fault);
    }
  });
});
