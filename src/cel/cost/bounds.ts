import type { Bounds } from './cost.js';

/**
 * The greatest cost or size, because upstream counts both in 64 bits. Greater results are reduced to it. As the `max` of a `Bounds` it
 * means that there is no limit.
 */
export const UNBOUNDED = 2 ** 64;

const NONE: Bounds = Object.freeze({ min: 0, max: 0 });
export const ZERO = NONE;
export const exactly = (value: number): Bounds => ({ min: value, max: value });
export const upTo = (max: number): Bounds => ({ min: 0, max });
export const ONE: Bounds = Object.freeze(exactly(1));
export const ANY_SIZE: Bounds = Object.freeze(upTo(UNBOUNDED));

const cap = (value: number): number => Math.min(value, UNBOUNDED);

export const add = (a: Bounds, b: Bounds): Bounds => ({ min: cap(a.min + b.min), max: cap(a.max + b.max) });
export const multiply = (a: Bounds, b: Bounds): Bounds => ({ min: cap(a.min * b.min), max: cap(a.max * b.max) });
/** Returns the smallest range that contains both ranges, for a value that comes from one of two branches. */
export const union = (a: Bounds, b: Bounds): Bounds => ({ min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) });
/** Multiplies both ends of a range by a factor and rounds them up. */
export const scale = (a: Bounds, factor: number): Bounds => ({
  min: cap(Math.ceil(a.min * factor)),
  max: cap(Math.ceil(a.max * factor)),
});
