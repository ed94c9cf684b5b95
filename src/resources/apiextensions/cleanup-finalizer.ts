import type { Dialect } from '../../meta/dialect.js';

/** Holds a definition until its objects are gone. */
export const cleanupFinalizer = ({ groupSuffix }: Dialect): string =>
  `customresourcecleanup.apiextensions.${groupSuffix}`;
