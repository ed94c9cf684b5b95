import { describe, expect, it } from 'vitest';
import { BUILTIN_PATCH_KINDS, CUSTOM_PATCH_KINDS, patchKindOf } from '../../src/patch/media-types.js';

describe('kind of patch', () => {
  it.each([
    ['application/json-patch+json', 'json'],
    ['application/merge-patch+json; charset=utf-8', 'merge'],
    ['application/strategic-merge-patch+json;charset=UTF-8', 'strategic'],
    ['application/apply-patch+yaml', 'apply'],
  ])('%s is %s', (type, kind) => {
    expect(patchKindOf(type, BUILTIN_PATCH_KINDS)).toBe(kind);
  });
  it.each(['application/json', 'application/merge-patch', 'Application/Merge-Patch+JSON', '', ';', '*/*', undefined])(
    '%s is not a patch',
    (type) => {
      expect(() => patchKindOf(type, BUILTIN_PATCH_KINDS)).toThrow(
        'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml',
      );
    },
  );
  it('is never strategic for custom resources', () => {
    expect(() => patchKindOf('application/strategic-merge-patch+json', CUSTOM_PATCH_KINDS)).toThrow(
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml',
    );
  });
});
