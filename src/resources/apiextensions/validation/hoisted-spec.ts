import { equalJson } from '../../../json/equal.js';
import type {
  CustomResourceDefinitionSpec as CrdSpec,
  CustomResourceDefinitionVersion as CrdVersion,
} from '../apiextensions-v1.types.js';

/** Members that may be the same in all versions. */
type Shared = Pick<CrdVersion, 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'>;

/**
 * The form in which the reference validates a definition: members that are the same in all versions are moved to the top level. Paths in
 * messages depend on this form (`spec.validation` for a schema).
 */
export interface HoistedSpec {
  readonly shared: Shared;
  /** The members that remain in each version. */
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
