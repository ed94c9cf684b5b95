import { applyInSteps } from '../../src/fields/apply-ownership.js';
import { run } from '../../src/meta/flow.js';
import type { ApiObject } from '../../src/meta/object-meta.js';

/** Runs a server-side apply synchronously: without a pause, it never waits. */
export const applyOwnership = (options: Omit<Parameters<typeof applyInSteps>[0], 'pause'>): ApiObject =>
  run(applyInSteps({ ...options, pause: undefined })) as ApiObject;
