/** Text that belongs to a number: from it one sees whether an object is whole. */
export function payload(step) {
  const length = 20 + ((step * 7919) % 3000);
  return `${step}:${String(step)
    .repeat(Math.ceil(length / String(step).length))
    .slice(0, length)}:${length}`;
}
