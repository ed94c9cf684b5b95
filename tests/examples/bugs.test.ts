/* The catalog of bugs consists of these tests. */
import '../../examples/bugs/double-create.test.js';
import '../../examples/bugs/finalizer-leak.test.js';
import '../../examples/bugs/hot-loop.test.js';
import '../../examples/bugs/leader-overlap.test.js';
import '../../examples/bugs/lost-answer.test.js';
import '../../examples/bugs/missed-delete.test.js';
import '../../examples/bugs/missing-owner.test.js';
import '../../examples/bugs/stale-read.test.js';
import '../../examples/bugs/status-spec-race.test.js';
import '../../examples/bugs/wrong-requeue.test.js';
