import type { ObjectMeta } from '../../meta/object-meta.js';

/** The end of the annotation that marks the class of claims that name none; the older form is read, too. */
const MARK = /^storageclass(?:\.beta)?\.(?:kubernetes|orch)\.io\/is-default-class$/;

/** Whether claims that name no class get this one. */
export function isDefaultClass({ annotations = {} }: ObjectMeta): boolean {
  return Object.entries(annotations).some(([key, value]) => value === 'true' && MARK.test(key));
}
