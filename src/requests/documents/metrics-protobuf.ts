import type { FamilySnapshot, Sample } from '../../metrics/metric-recorder.js';
import { WireWriter } from '../../serialization/protobuf/wire-writer.js';

// These are the type numbers and field numbers of io.prometheus.client (proto2).
const TYPES: Readonly<Record<FamilySnapshot['type'], number>> = { counter: 0, gauge: 1, summary: 2, histogram: 4 };
const VALUE_FIELDS: Readonly<Record<FamilySnapshot['type'], number>> = {
  gauge: 2,
  counter: 3,
  summary: 4,
  histogram: 7,
};
const VARINT = 0;
const FIXED64 = 1;
const LENGTH_DELIMITED = 2;

/** Encodes metric families as protobuf messages, each preceded by its length. */
export function metricsProtobuf(families: readonly FamilySnapshot[]): Uint8Array {
  const writer = new WireWriter();
  for (const family of families.toReversed()) {
    const end = writer.length;
    writeFamily(writer, family);
    writer.varint(writer.length - end);
  }
  return writer.finish();
}

// The writer fills its buffer from the end, so everything here is written in reverse order.
function writeFamily(writer: WireWriter, { name, help, type, samples }: FamilySnapshot): void {
  for (const sample of samples.toReversed()) message(writer, 4, () => writeSample(writer, type, sample));
  writer.varint(TYPES[type]);
  writer.tag(3, VARINT);
  text(writer, 2, help);
  text(writer, 1, name);
}

function writeSample(writer: WireWriter, type: FamilySnapshot['type'], sample: Sample): void {
  message(writer, VALUE_FIELDS[type], () => writeValue(writer, type, sample));
  for (const [name, value] of Object.entries(sample.labels).reverse())
    message(writer, 1, () => {
      text(writer, 2, value);
      text(writer, 1, name);
    });
}

function writeValue(writer: WireWriter, type: FamilySnapshot['type'], { value, count, sum, points }: Sample): void {
  if (type === 'counter' || type === 'gauge') {
    double(writer, 1, value);
    return;
  }
  for (const [at, reached] of points.toReversed())
    message(writer, 3, () => {
      if (type === 'summary') {
        double(writer, 2, reached);
        double(writer, 1, at);
        return;
      }
      double(writer, 2, at);
      writeCount(writer, reached);
    });
  double(writer, 2, sum);
  writeCount(writer, count);
}

function message(writer: WireWriter, field: number, write: () => void): void {
  const end = writer.length;
  write();
  writer.varint(writer.length - end);
  writer.tag(field, LENGTH_DELIMITED);
}

function text(writer: WireWriter, field: number, value: string): void {
  writer.text(value);
  writer.tag(field, LENGTH_DELIMITED);
}

function double(writer: WireWriter, field: number, value: number): void {
  writer.float64(value);
  writer.tag(field, FIXED64);
}

function writeCount(writer: WireWriter, count: number): void {
  writer.varint(count);
  writer.tag(1, VARINT);
}
