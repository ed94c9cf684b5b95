import type { ApiObject } from '../../src/meta/object-meta.js';
import { createFakeHost, type FakeHost } from '../../src/testing/fake-host.js';

/** The time at which the tests' certificates and tokens are valid. */
const START = '2026-11-21T12:00:00Z';

/** Returns an empty host (k8s), its clock, which the test sets, and the lines that it logged. */
export const fakeHost = (start = START): FakeHost => createFakeHost({ start });

/** Returns a fake host whose listers contain these objects, by `group/resource` (`/pods`). The lists may change between calls. */
export const hostWith = (objects: Readonly<Record<string, readonly object[]>>, start = START): FakeHost =>
  createFakeHost({ start, objects: objects as Readonly<Record<string, readonly ApiObject[]>> });
