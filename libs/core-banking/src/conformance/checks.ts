import { bookingChecks } from './booking-checks.js';
import { readingChecks } from './reading-checks.js';
import type { BankCheck } from './sample.js';

/**
 * The checks of everything on which the services of this project rely in a core bank. The tests run them against every
 * implementation, and `xs2a adapter check` runs them against a bank's own.
 */
export const bankChecks: readonly BankCheck[] = [...readingChecks, ...bookingChecks];
