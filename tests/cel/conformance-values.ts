import type { Value as ProtoValue } from '@bufbuild/cel-spec/cel/expr/value_pb.js';
import {
  getConformanceSuite,
  type IncrementalTest,
  type IncrementalTestSuite,
} from '@bufbuild/cel-spec/testdata/tests.js';
import { ArrayList } from '../../src/cel/values/lists.js';
import { MapBuilder } from '../../src/cel/values/maps.js';
import { canonicalInt, Double, Uint } from '../../src/cel/values/numbers.js';
import { TypeValue } from '../../src/cel/values/optional.js';
import type { Value } from '../../src/cel/values/value.js';

/** A test of the suite with the names of its section and group. */
export interface Row {
  readonly section: string;
  readonly group: string;
  readonly test: IncrementalTest;
}

export const conformanceRows = (): Row[] =>
  getConformanceSuite().suites.flatMap((section) =>
    section.suites.flatMap((group: IncrementalTestSuite) =>
      group.tests.map((test) => ({ section: section.name, group: group.name, test })),
    ),
  );

/** Returns a value of the test data; undefined for a protobuf message. */
export function fromProto({ kind }: ProtoValue): Value | undefined {
  switch (kind.case) {
    case 'nullValue':
      return null;
    case 'boolValue':
    case 'stringValue':
      return kind.value;
    case 'bytesValue':
      return kind.value;
    case 'int64Value':
      return canonicalInt(BigInt(kind.value));
    case 'uint64Value':
      return new Uint(canonicalInt(BigInt(kind.value)));
    case 'doubleValue':
      return new Double(Number(kind.value));
    case 'typeValue':
      return new TypeValue(kind.value);
    case 'listValue':
      return new ArrayList(kind.value.values.map((one) => fromProto(one) ?? null));
    case 'mapValue': {
      const builder = new MapBuilder();
      for (const { key, value } of kind.value.entries) {
        if (key !== undefined && value !== undefined) builder.add(fromProto(key) ?? null, fromProto(value) ?? null);
      }
      return builder.done();
    }
    default:
      return undefined;
  }
}
