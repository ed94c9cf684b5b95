export { createFakeClock } from './fake-clock.js';
export { createFakeRandom } from './fake-random.js';
