import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../../src/json/decode-error.js';
import { decodeProblem } from '../../../src/requests/bodies/body.js';

describe('an error that is reported as one of the body', () => {
  it('is one that decoding throws', () => {
    expect(decodeProblem(new DecodeError('a'))).toBe('a');
  });
  it('is not a fault of the server', () => {
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
