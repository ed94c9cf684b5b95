import type { Dialect } from '../../meta/dialect.js';

/** Returns the finalizer that holds a definition until its objects are deleted. */
export const cleanupFinalizer = ({ groupSuffix }: Dialect): string =>
  `customresourcecleanup.apiextensions.${groupSuffix}`;
