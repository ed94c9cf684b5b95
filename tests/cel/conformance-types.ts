import type { Decl, Type as ProtoType } from '@bufbuild/cel-spec/cel/expr/checked_pb.js';
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  type Library,
  listOf,
  mapOf,
  NULL,
  opaque,
  param,
  type SimpleType,
  STRING,
  TIMESTAMP,
  type Type,
  typeOf,
  UINT,
  type VariableDeclaration,
  wrapperOf,
} from 'orch-apiserver/cel';
import { testObject } from './checking.js';

/** The names are in the order of the numbers in the data. */
const PRIMITIVES = [undefined, BOOL, INT, UINT, DOUBLE, STRING, BYTES] as const;
const WELL_KNOWN = [undefined, ANY, TIMESTAMP, DURATION] as const;

const nested = testObject('cel.expr.conformance.proto3.TestAllTypes.NestedMessage', () => ({ bb: INT }));
/** The members of the test message from which the tests deduce types. */
export const testAllTypes = testObject('cel.expr.conformance.proto3.TestAllTypes', () => ({
  single_int64: INT,
  single_duration: DURATION,
  single_timestamp: TIMESTAMP,
  single_int64_wrapper: wrapperOf(INT as SimpleType),
  single_string_wrapper: wrapperOf(STRING as SimpleType),
  repeated_nested_message: listOf(nested),
}));

/** Returns a type of the test data; undefined for a protobuf message that is not declared here. */
export function typeFromProto(type: ProtoType | undefined): Type | undefined {
  const kind = type?.typeKind;
  const all = (types: readonly ProtoType[]) => types.map((one) => typeFromProto(one) ?? DYN);
  switch (kind?.case) {
    case 'primitive':
      return PRIMITIVES[kind.value];
    case 'wellKnown':
      return WELL_KNOWN[kind.value];
    case 'wrapper':
      return wrapperOf(PRIMITIVES[kind.value] as SimpleType);
    case 'dyn':
      return DYN;
    case 'null':
      return NULL;
    case 'typeParam':
      return param(kind.value);
    case 'type':
      return typeOf(typeFromProto(kind.value));
    case 'abstractType':
      return opaque(kind.value.name, ...all(kind.value.parameterTypes));
    case 'listType': {
      const element = typeFromProto(kind.value.elemType);
      return element && listOf(element);
    }
    case 'mapType': {
      const [key, value] = [typeFromProto(kind.value.keyType), typeFromProto(kind.value.valueType)];
      return key && value && mapOf(key, value);
    }
    case 'messageType':
      if (kind.value === 'google.protobuf.Duration') return DURATION;
      if (kind.value === 'google.protobuf.Timestamp') return TIMESTAMP;
      return kind.value === testAllTypes.name ? testAllTypes : undefined;
    default:
      return undefined;
  }
}

/** Returns the variables and functions of a test; undefined if the type of one is unknown. */
export function declarationsOf(
  declarations: readonly Decl[],
): { readonly variables: readonly VariableDeclaration[]; readonly library: Library } | undefined {
  const variables: VariableDeclaration[] = [];
  const functions: Library['functions'] & object[] = [];
  for (const { name, declKind } of declarations) {
    if (declKind.case === 'ident') {
      const type = typeFromProto(declKind.value.type);
      if (type === undefined) return undefined;
      variables.push({ name, type });
    } else if (declKind.case === 'function') {
      const overloads = declKind.value.overloads.map(({ overloadId, params, resultType, isInstanceFunction }) => ({
        id: overloadId,
        parameters: params.map((one) => typeFromProto(one) ?? DYN),
        result: typeFromProto(resultType) ?? DYN,
        receiver: isInstanceFunction,
      }));
      functions.push({ name, overloads });
    }
  }
  return { variables, library: { name: 'functions of the test', functions } };
}
