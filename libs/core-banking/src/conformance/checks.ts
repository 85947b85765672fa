import { bookingChecks } from './booking-checks.js';
import { readingChecks } from './reading-checks.js';
import type { BankCheck } from './sample.js';

/**
 * What the services of this project rely on in a core bank. The tests run all of it against every implementation, and
 * `xs2a adapter check` against a bank's own.
 */
export const bankChecks: readonly BankCheck[] = [...readingChecks, ...bookingChecks];
