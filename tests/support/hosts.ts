import type { ApiObject } from '../../src/meta/object-meta.js';
import { createFakeHost, type FakeHost } from '../../src/testing/fake-host.js';

/** The time at which the tests' certificates and tokens are valid. */
const START = '2026-11-21T12:00:00Z';

/** A host (k8s) with nothing in it, a clock that is set by hand, and the lines it logged. */
export const fakeHost = (start = START): FakeHost => createFakeHost({ start });

/** A fake host whose listers know these objects, by `group/resource` (`/pods`). Lists may be changed between calls. */
export const hostWith = (objects: Readonly<Record<string, readonly object[]>>, start = START): FakeHost =>
  createFakeHost({ start, objects: objects as Readonly<Record<string, readonly ApiObject[]>> });
