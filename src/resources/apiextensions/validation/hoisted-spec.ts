import { equalJson } from '../../../json/equal.js';
import type {
  CustomResourceDefinitionSpec as CrdSpec,
  CustomResourceDefinitionVersion as CrdVersion,
} from '../apiextensions-v1.types.js';

/** What versions may have in common. */
type Shared = Pick<CrdVersion, 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'>;

/**
 * A definition as it is validated: what is the same in all versions is said once, of the whole. Paths in messages follow from that
 * (`spec.validation` for a schema), so it has to be done as the reference does it.
 */
export interface HoistedSpec {
  readonly shared: Shared;
  /** What is left to each version. */
  readonly versions: readonly Shared[];
}

const MEMBERS = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

export function hoist({ versions }: Pick<CrdSpec, 'versions'>): HoistedSpec {
  const [first] = versions;
  const common = new Set(
    MEMBERS.filter((member) =>
      versions.every((version) => equalJson(version[member] ?? null, first?.[member] ?? null)),
    ),
  );
  const pick = (version: Shared | undefined, keep: (member: (typeof MEMBERS)[number]) => boolean): Shared =>
    Object.fromEntries(
      MEMBERS.filter((member) => keep(member) && version?.[member] !== undefined).map((member) => [
        member,
        version?.[member],
      ]),
    );
  return {
    shared: pick(first, (member) => common.has(member)),
    versions: versions.map((version) => pick(version, (member) => !common.has(member))),
  };
}
